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
import type { HookRunner } from "./hooks.ts"

/** Everything a run needs. The loop reaches nothing else: no clock, no disk, no network, no process. */
export interface LoopPorts {
  /** The conversation as the model sees it. Read anew before each request: what was yielded as an entry is in it. */
  context(): readonly Message[]
  /** Ids of calls that are no part of it any more; no new call gets one of them. */
  removedCallIds(): ReadonlySet<string>
  /**
   * One request, with whatever retries the session wraps around it. Ends in a reply or a failure, never throws. Each try
   * that failed is a `model_call` among its entries, with what it cost.
   */
  request(messages: readonly Message[], signal: AbortSignal): AsyncGenerator<Step, Reply, undefined>
  /**
   * Makes the context smaller where that is needed: before a request, and once after one that was refused because it was
   * too long. `changed`: what `context` gives is another conversation from here on. What was spent counts for the limits.
   */
  fit(reason: "limit" | "overflow", signal: AbortSignal): Promise<FitResult>
  tools(): readonly Tool[]
  readonly inbox: Inbox
  readonly policy: Policy
  readonly hooks: HookRunner
  /** Asks the person who is there, until the signal says that the answer is not wanted any more; `null` when nobody is. */
  readonly confirm: ((request: PermissionRequest, signal: AbortSignal) => PermissionQuestion) | null
  /** Asks what a tool wants to know of the person who is there, until the signal ends it; never rejects. `null` when nobody is. */
  readonly dialog: ((request: DialogRequest, signal: AbortSignal) => Promise<DialogOutcome>) | null
  /** Shows a step of a session that works for a call. */
  show(callId: string, step: PublishedStep): void
  /**
   * A reason while tools that change things may not run, e.g. because the tape cannot be written; null once everything that
   * was yielded survives a power cut. Rejects where that will never be.
   */
  refuseChanges(): Text | null | Promise<Text | null>
  /** What the session has looked at; null: nothing is guarded. */
  seen(): FilesSeen | null
  readonly artifacts: Artifacts
  /** Takes known secrets out of text before it is stored or sent. */
  redact(text: string): string
  readonly clock: Clock
  readonly limits: Limits
  /** The first refusal ends the run (`--strict`). */
  readonly strict: boolean
  /** `sequential` turns parallel reading off. */
  readonly toolExecution: "parallel" | "sequential"
  readonly signal: AbortSignal
}

/** Each may be absent: no limit. */
export interface Limits {
  readonly maxTurns?: number
  /** US dollars. */
  readonly maxCost?: number
  readonly maxTokens?: number
  /** Milliseconds. */
  readonly maxTime?: number
  /** Milliseconds for one call of a tool that does not keep its own time. Default 600,000. */
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
