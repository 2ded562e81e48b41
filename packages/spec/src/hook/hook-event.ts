import type { Failure } from "../text/failure.ts"
import type { ToolResultMessage } from "../model/message.ts"
import type { Usage } from "../model/usage.ts"

/** Events for watchers, with their fields (contract 12). Names and fields equal those of the channels `gong.*`. */
export interface HookEvents {
  readonly "session.start": object
  readonly "session.shutdown": object
  readonly "agent.start": { readonly prompt: string }
  /** `steps`: model replies. */
  readonly "agent.end": { readonly duration_ms: number; readonly steps: number; readonly status: string }
  /** Counts from 0 within a run. */
  readonly "turn.start": { readonly turn_index: number }
  readonly "turn.end": {
    readonly turn_index: number
    readonly duration_ms: number
    readonly tool_calls: readonly { readonly id: string; readonly tool: string }[]
  }
  readonly "model.select": { readonly model: string; readonly provider: string }
  readonly "llm.start": { readonly model: string; readonly provider: string }
  /** One logical request, retries included. */
  readonly "llm.stop": {
    readonly model: string
    readonly provider: string
    readonly duration_ms: number
    readonly usage: Usage | null
    readonly stop_reason: string | null
    readonly failure: Failure | null
  }
  readonly "tool.start": {
    readonly id: string
    readonly tool: string
    readonly arguments: Readonly<Record<string, unknown>>
  }
  /** `result` is the one that the model sees. */
  readonly "tool.stop": {
    readonly id: string
    readonly tool: string
    readonly duration_ms: number
    readonly result: ToolResultMessage
  }
  /** A call needs the user's permission. */
  readonly "permission.ask": { readonly id: string; readonly tool: string; readonly title: string }
  readonly "hook.error": {
    readonly hook: string
    readonly callback: string
    readonly error: string
    readonly stacktrace: string
  }
}

export type HookEventName = keyof HookEvents

export type HookEventOf<N extends HookEventName> = { readonly event: N; readonly session_id: string } & HookEvents[N]

export type HookEvent = { [N in HookEventName]: HookEventOf<N> }[HookEventName]

/** A subscriber outside the session, for example of Node's diagnostics channels. Must not throw. */
export interface TelemetrySubscriber {
  /** Called before an event is created, so an event without subscribers costs nothing. */
  wants(name: HookEventName): boolean
  receive(event: HookEvent): void
}
