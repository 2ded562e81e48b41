import type { Entry } from "./entry.ts"
import type { Damage, TapeInfo } from "./ports/store.ts"

/** A session as far as it has to be known for its place to be found; every `Store` is one. */
export interface SessionRef {
  readonly id: string
  /** Where it is kept, for people; null where there is no place that they could go to. */
  readonly path: string | null
}

/** A session that is kept, as far as it is known without opening it. */
export interface StoredSession extends SessionRef {
  readonly info: TapeInfo
  /** Milliseconds since the epoch of the last write. */
  readonly modified: number
}

/** What may be a session, and cannot be read: it must not hide the others. */
export interface UnreadableSession {
  readonly path: string
  /** `EACCES`, `EIO`, ... */
  readonly code: string
}

/** The process that has a session open for writing. */
export interface SessionHolder {
  readonly pid: number
  /** The machine's name; empty: it has not said which it is. */
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** What a list of sessions says about one of them. */
export interface ListedSession extends SessionRef {
  readonly cwd: string
  readonly workspace: string
  /** ISO 8601, UTC. */
  readonly created: string
  /** Milliseconds since the epoch of the last write. */
  readonly modified: number
  /** What it was forked from. */
  readonly from: { readonly id: string; readonly entry: string } | null
  /** Lines that were skipped because they are damaged. */
  readonly damaged: number
  /** The first line of the first message. */
  readonly title: string | null
  /** The newest name that it was given. */
  readonly name: string | null
  /** `provider/id` that was used last. */
  readonly model: string | null
  readonly entries: number
  readonly prompts: number
  readonly replies: number
  readonly calls: number
  readonly bytes: number
  /** US dollars, of what has a known price. */
  readonly cost: number
  /** What lists in yuan charged of it. */
  readonly costCny: number
  /** Requests whose price is not known. */
  readonly unpriced: number
}

/** A piece of a text around what was found. */
export interface Snippet {
  readonly text: string
  /** What was found in it: from, to. */
  readonly marks: readonly (readonly [number, number])[]
}

/** An entry in which it was found. */
export interface SessionHit {
  /** The session's id, and its path. */
  readonly session: string
  readonly path: string | null
  readonly workspace: string
  /** The session's name, else its title. */
  readonly title: string | null
  readonly entry: Entry
  readonly metadata: unknown
  readonly snippet: Snippet
  /** How many entries of this session were found, as far as was counted. */
  readonly inSession: number
}

/** Sums over all sessions. */
export interface SessionStats {
  readonly sessions: number
  readonly workspaces: number
  readonly entries: number
  readonly prompts: number
  readonly replies: number
  readonly calls: number
  readonly bytes: number
  /** US dollars, of what has a known price. */
  readonly cost: number
  /** What lists in yuan charged of it. */
  readonly costCny: number
  readonly unpriced: number
  readonly damaged: number
  /** By the model that a session used last; the most expensive first. */
  readonly models: readonly ModelStats[]
}

export interface ModelStats {
  /** Null: no model was chosen yet. */
  readonly model: string | null
  readonly sessions: number
  /** US dollars, of what has a known price. */
  readonly cost: number
  /** What lists in yuan charged of it. */
  readonly costCny: number
  /** Replies without a known price. */
  readonly unpriced: number
}

/** What the lines and artifacts of a session came to when each was checked. */
export interface VerifiedSession {
  readonly id: string
  /** Each file of lines, with how many of its lines are valid entries. */
  readonly files: readonly { readonly file: string; readonly valid: number }[]
  readonly problems: readonly LineProblem[]
  readonly artifacts: {
    readonly checked: number
    /** Their bytes are not those that their name says. */
    readonly damaged: readonly string[]
    /** Named by an entry and not there. */
    readonly missing: readonly { readonly artifact: string; readonly entry: string }[]
  }
}

export interface LineProblem extends Damage {
  /** Counted from 1. */
  readonly line: number
}

/** A session that was read from a file of another program. */
export interface ImportedSession {
  /** Kept where it is free and can be an id. */
  readonly id: string
  /** Absent: this machine. */
  readonly host?: string
  readonly cwd: string
  readonly workspace: string
  /** ISO 8601. */
  readonly created: string
  /** In their order; every parent stands before its child, null where the session begins. */
  readonly entries: readonly Entry[]
}
