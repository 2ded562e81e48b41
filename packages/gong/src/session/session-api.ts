import type {
  Declarations,
  Dialog,
  DialogAnswer,
  DialogOutcome,
  DialogRequest,
  Failure,
  Notification,
  PermissionAnswer,
  PermissionLevel,
  PermissionRequest,
  PolicyCall,
  RunEnd,
  Text,
} from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import type { SessionSettings } from "./session-settings.ts"
import type { Changes } from "./changes/changes.ts"
import type { CompactionResult } from "./compaction/deps.ts"
import type { InputOptions } from "./input/entries.ts"
import type { EventOptions, EventStream } from "./events/event-stream.ts"
import type { Waiting } from "./notifications.ts"
import type { Listener, SubscribeOptions } from "./events/publish.ts"
import type { ReplyOutcome } from "./questions/questions.ts"
import type { CommandResult, UserCommand } from "./user-command.ts"

/** The public face of a session: all that a surface may touch. */
export interface Session extends SessionSettings, Changes {
  readonly id: string
  /** What happened, to be read and followed; only the session writes it. */
  readonly history: ReadonlyTape
  readonly running: boolean
  /** What its tools declare of themselves, to show their calls by; null for a tool that is not there. */
  readonly declared: Declarations
  /** Tries once more to write what waits. Null when every step is on the disk, else why the last ones are not. */
  unwritten(): Failure | null
  /** Every step in one order. A subscriber that throws is left alone; the run goes on. */
  subscribe(listener: Listener, options?: SubscribeOptions): () => void
  /**
   * What happened, what is going on and what comes, as events: from any entry on, for whoever joins late or comes back.
   * Throws FailureError (`bad-request`) where there is no such entry.
   */
  events(options: EventOptions): EventStream
  /** Runs a prompt to its end, follow-ups included; no time limit of its own. Rejects when a run is in progress. */
  prompt(text: string, options?: InputOptions): Promise<RunEnd>
  /**
   * Resolves with the input's id once it survives a power cut; it is injected into the run that works, or into the next one.
   * Rejects with FailureError: `limit` when 100 messages wait, `bad-request` when it calls a skill that is not there,
   * `storage` when the disk fails.
   */
  steer(text: string, options?: InputOptions): Promise<string>
  followUp(text: string, options?: InputOptions): Promise<string>
  readonly waiting: Waiting
  /**
   * Runs a command of the user's own, which the model sees with the next prompt; `abort` stops it. Throws FailureError:
   * `denied` while a run works, `bad-request` where there is nothing to run it.
   */
  command(wanted: UserCommand): Promise<CommandResult>
  /** Questions that wait for `reply`; each was published as a notification `permission_request`, and its end will be, too. */
  readonly questions: readonly PermissionRequest[]
  /** A person's answer to one of them, at any time. An "always" that was not offered is not taken. */
  reply(id: string, answer: PermissionAnswer): ReplyOutcome
  /** What tools ask and nobody has answered yet; each was published as a notification `ui_request`, and its end will be, too. */
  readonly dialogs: readonly DialogRequest[]
  /** A person's answer to one of them. A choice, or words, that were not offered are not taken. */
  answer(id: string, answer: DialogAnswer): ReplyOutcome
  /** Asks the person who is there something that is no tool's question; never rejects. Null: nobody is there. */
  readonly ask: ((asked: Dialog, signal: AbortSignal) => Promise<DialogOutcome>) | null
  /** Asks that person for permission, where policy leaves it open; never rejects. Null: nobody is there. */
  readonly permit: ((call: PolicyCall, signal: AbortSignal) => Promise<boolean>) | null
  readonly permission: PermissionLevel
  /** From the next call on; open questions that it decides end with it. The sandbox stays as it is. */
  setPermission(level: PermissionLevel): Promise<void>
  /**
   * Replaces the older part of the conversation by a summary; `focus`: what it should keep above all. A prompt that comes
   * meanwhile is taken and answered behind it. Rejects while a run or another compaction works.
   */
  compact(focus?: string): Promise<CompactionResult>
  /** Whether hooks let the session be left for another one, or be forked: null, or why not. */
  mayLeave(op: "switch" | "fork", meta: Readonly<Record<string, unknown>>): Promise<Text | null>
  /** Stops the run, the command or the compaction; `prompt` then resolves with status `interrupted`. */
  abort(): void
  /** Says something to the user that no entry says; false: nobody looks. */
  notify(notification: Notification): boolean
  /** Tells watchers that the session ends and waits for them, at most 5 s, and for what has to be durable. */
  end(): Promise<void>
}
