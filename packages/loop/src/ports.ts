import type {
  Artifacts,
  Clock,
  DialogOutcome,
  DialogRequest,
  FilesSeen,
  Inbox,
  Message,
  PermissionQuestion,
  PermissionRequest,
  Policy,
  PublishedStep,
  Reply,
  RunStatus,
  Step,
  Text,
  Tool,
  Usage,
} from "@gong/spec"
import type { HookRunner } from "./hooks/hooks.ts"

/** Dependencies of a run. The loop has no other access: no clock, no disk, no network, no process. */
export interface LoopPorts {
  /** The conversation as the model sees it. Read before each request; includes all yielded entries. */
  context(): readonly Message[]
  /** Ids of calls that left the conversation; new calls must not reuse them. */
  removedCallIds(): ReadonlySet<string>
  /**
   * One request, with the session's retries. Returns a reply or a failure, never throws. Each failed attempt yields a
   * `model_call` entry with its cost.
   */
  request(messages: readonly Message[], signal: AbortSignal): AsyncGenerator<Step, Reply, undefined>
  /**
   * Compacts the context if needed: before a request, and once after one that was refused as too long. `changed`: `context`
   * returns another conversation from here on. The cost counts for the limits.
   */
  fit(reason: "limit" | "overflow", signal: AbortSignal): Promise<FitResult>
  tools(): readonly Tool[]
  readonly inbox: Inbox
  readonly policy: Policy
  readonly hooks: HookRunner
  /** Asks the user for permission; an abort of the signal withdraws the question. `null` without a user. */
  readonly confirm: ((request: PermissionRequest, signal: AbortSignal) => PermissionQuestion) | null
  /** Asks the user a tool's question, until the signal ends it; never rejects. `null` without a user. */
  readonly dialog: ((request: DialogRequest, signal: AbortSignal) => Promise<DialogOutcome>) | null
  /** Shows a step of the subtask session of a call. */
  show(callId: string, step: PublishedStep): void
  /**
   * Why tools must not make changes now, e.g. because the tape cannot be written; null once all yielded entries are durable.
   * Rejects if they never will be.
   */
  refuseChanges(): Text | null | Promise<Text | null>
  /** Files that the session has read; null: no file is guarded. */
  seen(): FilesSeen | null
  readonly artifacts: Artifacts
  /** Redacts known secrets in text before it is stored or sent. */
  redact(text: string): string
  readonly clock: Clock
  readonly limits: Limits
  /** The first refusal ends the run (`--strict`). */
  readonly strict: boolean
  /** `sequential` disables parallel reads. */
  readonly toolExecution: "parallel" | "sequential"
  readonly signal: AbortSignal
}

/** An absent field means no limit. */
export interface Limits {
  readonly maxTurns?: number
  /** US dollars. */
  readonly maxCost?: number
  readonly maxTokens?: number
  /** Milliseconds. */
  readonly maxTime?: number
  /** Milliseconds for one call of a tool without a time limit of its own. Default 600,000. */
  readonly toolTime?: number
}

export interface FitResult {
  readonly changed: boolean
  readonly usage: Usage
  readonly cost: number | null
}

export interface Spent {
  readonly turns: number
  readonly usage: Usage
  readonly cost: number | null
}

export type { RunStatus }
