import type { Text } from "./phrase.ts"
import type { HookEvent } from "./hook-event.ts"
import type { ImageContent, Message, UserContent } from "./message.ts"

/**
 * The three kinds of hook as functions over plain data, all asynchronous, so that they can live in a worker or be a
 * program: a gate (`before...`) may refuse, a pipe (`on...`) may change, `watch` may only look. All are optional.
 */
export interface Hook {
  readonly name: string
  /** Milliseconds that one callback may take. Default 5,000 (design section 6). */
  readonly timeMs?: number
  beforeToolCall?(call: HookCall, context: HookContext): Promise<GateAnswer>
  /** `block` and `cancel` mean the same here: it does not happen. */
  beforeSessionOp?(op: SessionOp, meta: Readonly<Record<string, unknown>>, context: HookContext): Promise<GateAnswer>
  /** A run is about to be done; `block` sends it on, with the reason as the model's next message. */
  beforeStop?(stop: StopMeta, context: HookContext): Promise<GateAnswer>
  onToolResult?(call: HookCall, result: HookResult, context: HookContext): Promise<(HookResult & HookAside) | undefined>
  onContext?(messages: readonly Message[], context: HookContext): Promise<readonly Message[] | undefined>
  onInput?(text: string, images: readonly ImageContent[], context: HookContext): Promise<InputAnswer>
  /** Once for each prompt, before anything of it is stored; with `stop` the run does not begin. */
  onBeforeAgent?(prompt: string, system: string, context: HookContext): Promise<BeforeAgentAnswer | undefined>
  watch?(event: HookEvent, context: HookContext): Promise<void>
}

export interface HookContext {
  /** Aborted when nobody waits for the answer any more: its time is up, or the run was stopped. */
  readonly signal: AbortSignal
}

export type SessionOp = "fork" | "compact" | "switch"

export interface StopMeta {
  /** The run would have ended before, and goes on because a hook wanted it. */
  readonly again: boolean
}

export interface HookCall {
  readonly id: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface HookResult {
  readonly content: readonly UserContent[]
  readonly details: Readonly<Record<string, unknown>> | null
  readonly isError: boolean
}

/** What any answer may say beside its own matter. */
export interface HookAside {
  /** For the user. */
  readonly tell?: Text
  /** Why the run ends after this. */
  readonly stop?: string
}

/** No answer loosens what policy decided; `ask` makes a question of what would have run. */
export type GateAnswer = HookAside &
  (
    | {
        readonly answer: "ok"
        readonly arguments?: Readonly<Record<string, unknown>>
        /** For the model, beside the call's result. */
        readonly note?: string
      }
    | { readonly answer: "ask"; readonly reason: string; readonly arguments?: Readonly<Record<string, unknown>> }
    | { readonly answer: "block"; readonly reason: string }
    | { readonly answer: "cancel"; readonly reason?: string }
  )

export type InputAnswer =
  | { readonly answer: "passthrough" }
  | { readonly answer: "transform"; readonly text: string; readonly images?: readonly ImageContent[] }
  /** Nobody else sees it. `failure`: it could not be done, and the run ends failed with these words. */
  | { readonly answer: "handled"; readonly failure?: string }

export interface BeforeAgentAnswer extends HookAside {
  readonly prompt?: string
  readonly system?: string
  readonly messages?: readonly Message[]
}
