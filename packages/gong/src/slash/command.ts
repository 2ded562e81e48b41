import type { SessionEvent } from "@gong/spec"
import { type Outcome, type UsageError, usageLines } from "../config/usage.ts"
import type { Translate } from "../texts/translator.ts"
import type { FileDiff } from "../session/changes/diff.ts"
import type { Session } from "../session/session.ts"

/** A wish to Gong, typed as `/name ...` where a message could be typed. */
export interface SlashCommand {
  readonly name: string
  /** What it does, in a few words. */
  readonly about: string
  /** What may follow its name; what stands in [] may be left out. */
  readonly value?: string
  /** `rest`: what followed, without blanks at its ends. Throws FailureError, whose message is then said. */
  run(at: At, rest: string): Promise<SlashEnd>
}

/** What a command came to. */
export type SlashEnd =
  /** Whole lines for people, and the same as plain data. */
  | { readonly kind: "said"; readonly lines: readonly string[]; readonly data: unknown }
  /** A message for the model. */
  | { readonly kind: "message"; readonly text: string }
  /** The user wants to leave. */
  | { readonly kind: "leave" }

/** What something else than Gong itself takes behind a slash. */
export interface OtherCommand {
  /** Without the slash; skills are `skill:NAME`. */
  readonly name: string
  readonly about: string
  /** How its arguments are written. */
  readonly value?: string
  readonly source: "extension" | "prompt" | "skill"
}

/** A command as a list shows it. */
export interface ListedCommand {
  readonly name: string
  readonly about: string
  readonly value?: string
  readonly source: "builtin" | OtherCommand["source"]
}

/** All that a command can reach. */
export interface At {
  /** Texts in the language of the person at the surface. */
  readonly t: Translate
  /** The session that is open; another one after `app.open`. */
  readonly session: Session
  /** As it was opened. */
  readonly info: SessionEvent
  readonly asking: Asking
  readonly app: Operations
  /** All that a slash may begin, in the order in which they take a name. */
  commands(): readonly ListedCommand[]
  /** Runs the command of an extension; null where none has this name. Throws FailureError. */
  extension(name: string, rest: string): Promise<SlashEnd> | null
}

/** The person at the surface. */
export interface Asking {
  /** The index of one of the rows; null: none of them. */
  choose(question: string, rows: readonly string[]): Promise<number | null>
  /** False unless the person says yes. */
  confirm(question: string): Promise<boolean>
  /** Null: nothing was typed. `secret`: it is not shown. */
  line(question: string, secret?: boolean): Promise<string | null>
  /** What can be pressed here, and what it does. */
  readonly keys: readonly (readonly [string, string])[]
}

/** Which session to go on in. */
export type Target =
  | { readonly kind: "new"; readonly name?: string }
  /** By id, its beginning, its end, or its name. */
  | { readonly kind: "stored"; readonly session: string }
  /** A copy of the open one, up to one of its steps. */
  | { readonly kind: "fork"; readonly entry?: string }
  /** The open one, with settings, keys, rules and context files as they are now. */
  | { readonly kind: "reload" }

/** What the app can do beside the session's public face. Nothing of it is done while a run works. */
export interface Operations {
  /** Leaves the open session and goes on in another; nothing has changed when that cannot be done. */
  open(target: Target): Promise<Outcome<SessionEvent>>
  /** Titles of jobs that end with the session. */
  jobs(): readonly string[]
  /** `provider/id` of all that can be asked. */
  models(): Promise<readonly string[]>
  chooseModel(name: string): Promise<Outcome<null>>
  readonly tools: readonly string[]
  /** As `--tools` takes them; gives those that are then active. */
  chooseTools(list: string): Outcome<readonly string[]>
  /** The newest of this workspace first. */
  sessions(): Promise<Outcome<readonly SessionRow[]>>
  /** Writes the open session to a file, as Markdown or for Pi by the file's ending; gives its full path. */
  export(file: string): Promise<Outcome<string>>
  /** Says how, or why not. */
  copy(text: string): Promise<Outcome<string>>
  /** Whole text about what was done. */
  undo(what: "changes" | "compaction" | "redo"): Promise<string>
  /** What the session changed in files, as a unified diff; of one file, or of all. */
  diff(): Promise<readonly FileDiff[]>
  settings(): Promise<Outcome<readonly SettingRow[]>>
  /** Kept in the user's settings file; gives what is to be said about it. */
  set(name: string, text: string): Promise<Outcome<string>>
  /** Tries a key and keeps it; `type` asks for it. `kept` is false when the provider refused it. */
  login(provider: string | null, type: (prompt: string) => Promise<string | null>): Promise<Outcome<KeptKey>>
  logout(provider: string | null): Promise<Outcome<string>>
  trust(): Promise<Outcome<TrustState>>
  /** `forget`: nothing is decided any more. */
  setTrust(answer: "yes" | "no" | "forget"): Promise<Outcome<null>>
  /** Estimated tokens of the system prompt and of the tools that the session was last sent with; null before. */
  promptTokens(): Promise<{ readonly system: number; readonly tools: number } | null>
  /** Null: it is not part of this installation. */
  changelog(): string | null
}

export interface SessionRow {
  readonly id: string
  readonly title: string
  /** ISO 8601 to the minute, UTC. */
  readonly modified: string
}

export interface SettingRow {
  readonly name: string
  readonly value: string
  /** Where it came from; `default`. */
  readonly origin: string
  readonly about: string
}

export interface KeptKey {
  readonly kept: boolean
  readonly lines: readonly string[]
}

export interface TrustState {
  readonly root: string
  /** What the folder brings that can act; "" is nothing. */
  readonly summary: string
  readonly files: readonly string[]
  /** What of it acts now. */
  readonly trusted: boolean
  /** One line for people: how the folder stands. */
  readonly standing: string
  /** Whole lines: what would act and does not, with what changed since it was trusted. */
  readonly open: readonly string[]
}

export function said(lines: readonly string[], data: unknown = {}): SlashEnd {
  return { kind: "said", lines, data }
}

/** What could not be done, said. */
export function refused(t: Translate, { error }: { readonly error: UsageError }): SlashEnd {
  return said(usageLines(t, error), { refused: error.lines })
}
