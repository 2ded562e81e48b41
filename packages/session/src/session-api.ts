import type {
  Declarations,
  DialogAnswer,
  DialogRequest,
  Failure,
  Notification,
  PermissionAnswer,
  PermissionLevel,
  PermissionRequest,
  RunEnd,
  Text,
} from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import type { SessionSettings } from "./session-settings.ts"
import type { Changes } from "./changes/changes.ts"
import type { CompactionResult } from "./compaction/policy.ts"
import type { InputOptions } from "./input/entries.ts"
import type { EventOptions, EventStream } from "./events/event-stream.ts"
import type { Waiting } from "./notifications.ts"
import type { ModelSelection } from "./runs/model-selection.ts"
import type { Listener, SubscribeOptions } from "./events/publish.ts"
import type { PersonApi } from "./questions/interaction.ts"
import type { ReplyOutcome } from "./questions/questions.ts"
import type { CommandResult, UserCommand } from "./user-command.ts"

/** The session API: everything that a frontend may use. */
export interface Session extends SessionSettings, Changes, PersonApi {
  readonly id: string
  /** The entries, to read and to follow; only the session writes them. */
  readonly history: ReadonlyTape
  readonly running: boolean
  /** The model and thinking level in use: those of the run in progress, else those of the next run. */
  readonly selection: ModelSelection
  /** The declarations of its tools, for showing their calls; null for an unknown tool. */
  readonly declared: Declarations
  /** Tries once more to write entries that wait. Null when all are written, and durable where they have to be; else the reason. */
  unwritten(): Promise<Failure | null>
  /** Every step in one order. An error that a listener throws is ignored. */
  subscribe(listener: Listener, options?: SubscribeOptions): () => void
  /**
   * Past, current and new events, from any entry on: for a client that joins late or reconnects. Throws FailureError
   * (`bad-request`) when there is no such entry.
   */
  events(options: EventOptions): EventStream
  /** Runs a prompt to its end, follow-ups included, without a time limit of its own. Rejects during a run. */
  prompt(text: string, options?: InputOptions): Promise<RunEnd>
  /**
   * Resolves with the id of the input when it is durable. It is inserted into the run in progress, or into the next one.
   * Rejects with FailureError: `limit` when 100 messages wait, `bad-request` when it names an unknown skill, `storage` when
   * the disk fails.
   */
  steer(text: string, options?: InputOptions): Promise<string>
  followUp(text: string, options?: InputOptions): Promise<string>
  readonly waiting: Waiting
  /**
   * Runs a command of the user, which the model sees with the next prompt; `abort` stops it. Throws FailureError: `denied`
   * during a run, `bad-request` where the session has no bash tool.
   */
  command(wanted: UserCommand): Promise<CommandResult>
  /** Questions that wait for `reply`. Each was published as a notification `permission_request`; its end will be, too. */
  readonly questions: readonly PermissionRequest[]
  /** Answers a question, at any time. An "always" that was not offered is refused. */
  reply(id: string, answer: PermissionAnswer): ReplyOutcome
  /** Dialogs of tools that wait for `answer`. Each was published as a notification `ui_request`; its end will be, too. */
  readonly dialogs: readonly DialogRequest[]
  /** Answers a dialog. A choice or a text that was not offered is refused. */
  answer(id: string, answer: DialogAnswer): ReplyOutcome
  readonly permission: PermissionLevel
  /**
   * Replaces the older part of the conversation by a summary. `focus`: what the summary must cover above all. A prompt during it
   * is accepted and answered afterwards. Rejects during a run or another compaction.
   */
  compact(focus?: string): Promise<CompactionResult>
  /** Whether hooks allow a switch to another session or a fork: null, or the reason against it. */
  mayLeave(op: "switch" | "fork", meta: Readonly<Record<string, unknown>>): Promise<Text | null>
  /** Stops the run, the command or the compaction; `prompt` then resolves with status `interrupted`. */
  abort(): void
  /** Publishes a notification to the user; false when there are no subscribers. */
  notify(notification: Notification): boolean
  /** Reports the end of the session to hooks and waits for them, at most 5 s, and for what has to be durable. */
  end(): Promise<void>
}
