import {
  type ModelRequest,
  type AssistantContent,
  type Clock,
  costInYuan,
  costOf,
  type PartialUpdate,
  failure,
  type Failure,
  type Model,
  noUsage,
  phrase,
  type Provider,
  type Reply,
  type StopReason,
  type ToolCall,
  type Usage,
} from "@gong/spec"
import { LiveArguments } from "../protocol/reply/live-arguments.ts"

/** One reply of a scripted model. */
export interface ScriptedTurn {
  readonly thinking?: string
  readonly text?: string
  readonly calls?: readonly ScriptedCall[]
  /** Default: `tool_calls` with calls, else `stop`. */
  readonly stopReason?: StopReason
  /** The reply fails after its content has streamed. */
  readonly failure?: Failure
  readonly usage?: Partial<Usage>
}

export interface ScriptedCall {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
  /** Default: `call_` with the numbers of the turn and of the call, both from 1. */
  readonly id?: string
  /** Invalid JSON, sent instead of `arguments`. */
  readonly broken?: string
}

/** A turn, or a function of the request that creates it; `index` counts requests from 0. */
export type ScriptedStep = ScriptedTurn | ((request: ModelRequest, index: number) => ScriptedTurn)

export interface ScriptedOptions {
  readonly clock: Clock
  readonly model?: Partial<Model>
  /** Characters per delta; 0: one per block. Default 0. */
  readonly deltaSize?: number
  /** Milliseconds before each delta. Default 0. */
  readonly delayMs?: number
}

export interface ScriptedProvider extends Provider {
  /** Its requests, in order. */
  readonly requests: readonly ModelRequest[]
}

export const scriptedModel: Model = {
  provider: "scripted",
  id: "script",
  api: "scripted",
  baseUrl: "scripted:",
  contextWindow: 200_000,
  maxOutput: 32_000,
  reasoning: true,
  images: true,
  price: { input: 0, output: 0 },
}

/** A model that plays a script, without network: for the demo, the simulator and tests. A request beyond the script fails. */
export function scriptedProvider(script: readonly ScriptedStep[], options: ScriptedOptions): ScriptedProvider {
  const model: Model = { ...scriptedModel, ...options.model }
  const requests: ModelRequest[] = []
  return {
    model,
    requests,
    async *stream(request) {
      const index = requests.push(request) - 1
      const { provider, id, api } = model
      const began = options.clock.now()
      yield { type: "start", draftId: request.draftId, model: { provider, id, api } }
      const turn = turnOf(script[index], request, index)
      const content: AssistantContent[] = []
      let firstToken = began
      const close = (why: Failure | null) => {
        const now = options.clock.now()
        return replyOf(turn, content, model, why, { durationMs: now - began, firstTokenMs: firstToken - began })
      }
      for (const [at, block] of blocksOf(turn, index).entries()) {
        for (const partial of partialsOf(block, at, options.deltaSize ?? 0)) {
          await pause(options, request.signal)
          if (request.signal.aborted) return close(aborted)
          if (firstToken === began) firstToken = options.clock.now()
          yield partial
        }
        content.push(block)
      }
      return close(request.signal.aborted ? aborted : (turn.failure ?? null))
    },
  }
}

const aborted = failure("aborted", phrase`Operation aborted`)

function turnOf(step: ScriptedStep | undefined, request: ModelRequest, index: number): ScriptedTurn {
  if (step === undefined) return { failure: failure("internal", `The script has no turn ${index + 1}`) }
  return typeof step === "function" ? step(request, index) : step
}

function blocksOf(turn: ScriptedTurn, index: number): AssistantContent[] {
  const calls = (turn.calls ?? []).map((call, at): ToolCall => {
    const id = call.id ?? `call_${index + 1}_${at + 1}`
    const { name, arguments: args = {}, broken } = call
    return {
      type: "tool_call",
      id,
      name,
      arguments: broken === undefined ? args : {},
      ...(broken === undefined ? {} : { broken }),
    }
  })
  return [
    ...(turn.thinking ? [{ type: "thinking", text: turn.thinking, signature: "scripted" } as const] : []),
    ...(turn.text ? [{ type: "text", text: turn.text } as const] : []),
    ...calls,
  ]
}

function* partialsOf(block: AssistantContent, index: number, size: number): Generator<PartialUpdate> {
  if (block.type !== "tool_call") {
    for (const delta of piecesOf(block.text, size)) yield { type: block.type, index, delta }
    return
  }
  yield { type: "call", index, id: block.id, name: block.name }
  const live = new LiveArguments()
  const text = block.broken ?? JSON.stringify(block.arguments)
  for (const delta of piecesOf(text, size)) yield live.add(index, delta)
}

function* piecesOf(text: string, size: number): Generator<string> {
  const step = size > 0 ? size : text.length
  for (let at = 0; at < text.length; at += step) yield text.slice(at, at + step)
}

/** Waits before a delta; an abort ends the wait, and the caller checks the signal. */
async function pause({ clock, delayMs = 0 }: ScriptedOptions, signal: AbortSignal): Promise<void> {
  if (delayMs > 0 && !signal.aborted) await clock.sleep(delayMs, signal).catch(() => {})
}

function replyOf(
  turn: ScriptedTurn,
  content: readonly AssistantContent[],
  { provider, id, api, price }: Model,
  why: Failure | null,
  times: { readonly durationMs: number; readonly firstTokenMs: number },
): Reply {
  const usage = { ...noUsage, ...turn.usage }
  const yuan = costInYuan(usage, price)
  const message = {
    role: "assistant",
    content,
    model: { provider, id, api },
    usage,
    cost: costOf(usage, price),
    ...(yuan === undefined ? {} : { costCny: yuan }),
    ...times,
  } as const
  if (why === null) {
    const stopReason = turn.stopReason ?? (turn.calls?.length ? "tool_calls" : "stop")
    return { ok: true, message: { ...message, stopReason } }
  }
  const stopReason = why.kind === "aborted" ? "aborted" : "error"
  return { ok: false, failure: why, partial: content.length > 0 ? { ...message, stopReason, failure: why } : null }
}
