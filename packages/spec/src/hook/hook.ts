import type { Text } from "../text/phrase.ts"
import type { HookEvent } from "./hook-event.ts"
import type { ImageContent, Message, UserContent } from "../model/message.ts"

/**
 * The three kinds of hook as asynchronous functions over plain data, so that a worker or a program can implement them: a
 * gate (`before...`) may refuse, a pipe (`on...`) may change, `watch` only observes. All are optional.
 */
export interface Hook {
  readonly name: string
  /** Time limit of one callback in milliseconds. Default 5,000 (design section 6). */
  readonly timeMs?: number
  beforeToolCall?(call: HookCall, context: HookContext): Promise<GateAnswer>
  /** `block` and `cancel` are equivalent here: the operation is refused. */
  beforeSessionOp?(op: SessionOp, meta: Readonly<Record<string, unknown>>, context: HookContext): Promise<GateAnswer>
  /** Called before a run ends. `block` continues it, with the reason as the model's next message. */
  beforeStop?(stop: StopMeta, context: HookContext): Promise<GateAnswer>
  onToolResult?(call: HookCall, result: HookResult, context: HookContext): Promise<(HookResult & HookAside) | undefined>
  onContext?(messages: readonly Message[], context: HookContext): Promise<readonly Message[] | undefined>
  onInput?(text: string, images: readonly ImageContent[], context: HookContext): Promise<InputAnswer>
  /** Once per prompt, before anything is stored. With `stop` the run does not begin. */
  onBeforeAgent?(prompt: string, system: string, context: HookContext): Promise<BeforeAgentAnswer | undefined>
  watch?(event: HookEvent, context: HookContext): Promise<void>
}

export interface HookContext {
  /** Aborted when the answer is no longer needed: the time limit passed, or the run was stopped. */
  readonly signal: AbortSignal
}

export type SessionOp = "fork" | "compact" | "switch"

export interface StopMeta {
  /** The run already continued once because a hook blocked its end. */
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

/** Fields that every answer may have. */
export interface HookAside {
  /** A text for the user. */
  readonly tell?: Text
  /** Ends the run, with this reason. */
  readonly stop?: Text
}

/** No answer can loosen policy. `ask` requires permission for a call that policy allows. */
export type GateAnswer = HookAside &
  (
    | {
        readonly answer: "ok"
        readonly arguments?: Readonly<Record<string, unknown>>
        /** A text for the model, added to the result of the call. */
        readonly note?: string
      }
    | { readonly answer: "ask"; readonly reason: string; readonly arguments?: Readonly<Record<string, unknown>> }
    | { readonly answer: "block"; readonly reason: Text }
    | { readonly answer: "cancel"; readonly reason?: string }
  )

export type InputAnswer =
  | { readonly answer: "passthrough" }
  | { readonly answer: "transform"; readonly text: string; readonly images?: readonly ImageContent[] }
  /** No other hook sees the input. With `failure` the run fails with this text. */
  | { readonly answer: "handled"; readonly failure?: Text }

export interface BeforeAgentAnswer extends HookAside {
  readonly prompt?: string
  readonly system?: string
  readonly messages?: readonly Message[]
}
