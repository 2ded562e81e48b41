import type { ImageContent, Message, UserContent } from "./message.ts"

/**
 * The three kinds of hook as functions over plain data, all asynchronous, so that they can live in a worker:
 * a gate may refuse, a pipe may change, a watcher may only look. All callbacks are optional.
 */
export interface Hook {
  readonly name: string
  beforeToolCall?(call: HookCall): Promise<GateAnswer>
  beforeSessionOp?(op: "fork" | "compact" | "switch", meta: Readonly<Record<string, unknown>>): Promise<GateAnswer>
  onToolResult?(call: HookCall, result: HookResult): Promise<HookResult | undefined>
  onContext?(messages: readonly Message[]): Promise<readonly Message[] | undefined>
  onInput?(text: string, images: readonly ImageContent[]): Promise<InputAnswer>
  onBeforeAgent?(prompt: string, system: string): Promise<BeforeAgentAnswer | undefined>
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

export type GateAnswer =
  | { readonly answer: "ok"; readonly arguments?: Readonly<Record<string, unknown>> }
  | { readonly answer: "block"; readonly reason: string }
  | { readonly answer: "cancel"; readonly reason?: string }

export type InputAnswer =
  | { readonly answer: "passthrough" }
  | { readonly answer: "transform"; readonly text: string; readonly images?: readonly ImageContent[] }
  | { readonly answer: "handled" }

export interface BeforeAgentAnswer {
  readonly prompt?: string
  readonly system?: string
  readonly messages?: readonly Message[]
}
