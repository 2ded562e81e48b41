import {
  type ChangeBody,
  failureOf,
  type ModelCallBody,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  type ToolResultMessage,
  type UserContent,
} from "@gong/spec"
import type { LoopPorts } from "../ports.ts"
import { resultText } from "./result.ts"
import { redactAll, withoutSecrets } from "../secrets.ts"
import * as texts from "../texts.ts"

export interface Execution {
  readonly call: ToolCall
  readonly tool: Tool
  readonly args: Readonly<Record<string, unknown>>
  /** Texts of gates for the model, added to the result. */
  readonly notes: readonly string[]
  /** Variables that policy requires for the command. */
  readonly env?: Readonly<Record<string, string>>
  /** Ends this call: the run was aborted, a steer interrupts it, or its time limit passed. */
  readonly stop: AbortController
  onProgress(delta: string): void
  record(entry: ChangeBody | ModelCallBody): Promise<void>
}

/** Milliseconds that a stopped tool gets to end by itself. */
const grace = 5_000
const defaultToolTime = 600_000
/** Characters of one result; the limits of built-in tools are far below. */
const maxResultLength = 200_000

/** Runs one permitted call and prepares its result for the tape: run, pipes, redact, truncate (engine D6). Never throws; always ends. */
export async function execute(ports: LoopPorts, run: Execution): Promise<ToolResultMessage> {
  const { hooks, clock } = ports
  const startedAt = clock.now()
  const call = { id: run.call.id, tool: run.call.name, arguments: run.args }
  hooks.emit("tool.start", () => call)
  const message = await finish(ports, run)
  const piped = await hooks.onToolResult(call, message)
  const content = [...piped.content, ...run.notes.map((text): UserContent => ({ type: "text", text }))]
  const durationMs = Math.max(0, Math.round(clock.now() - startedAt))
  const result: ToolResultMessage = {
    ...message,
    content: bounded(content.map((block) => redactBlock(ports, block))),
    details: redactAll(ports, piped.details) as ToolResultMessage["details"],
    isError: piped.isError,
    durationMs,
  }
  hooks.emit("tool.stop", () => ({ id: call.id, tool: call.tool, duration_ms: durationMs, result }))
  return result
}

async function finish(ports: LoopPorts, run: Execution): Promise<ToolResultMessage> {
  const { signal } = run.stop
  const seen = ports.seen()
  const context: ToolContext = {
    signal,
    ...(run.env && { env: run.env }),
    onProgress: (delta) => run.onProgress(ports.redact(delta)),
    record: async (change) =>
      run.record({ type: "change", callId: run.call.id, ...(await withoutSecrets(ports, change)) }),
    artifacts: ports.artifacts,
    ...dialogOf(ports, run),
    spent: (paid) => run.record({ type: "model_call", ...paid }),
    show: (step) => ports.show(run.call.id, step),
    ...(seen && { seen }),
  }
  // Wrapped, so that a synchronous throw is handled like a rejection.
  const running = (async () => run.tool.execute(run.call.id, run.args as never, context))().then(
    (result) => toMessage(run.call, result),
    (error) => thrown(run.call, error, signal),
  )
  return firstToEnd(ports, run, running)
}

function dialogOf({ dialog }: LoopPorts, { call, stop }: Execution): Pick<ToolContext, "dialog"> {
  if (dialog === null) return {}
  let count = 0
  // Unique ids: a late answer to one dialog must not answer the next.
  const nextId = (): string => ((count += 1) === 1 ? `u-${call.id}` : `u-${call.id}-${count}`)
  return { dialog: (asked) => dialog({ id: nextId(), toolCallId: call.id, ...asked }, stop.signal) }
}

const timeUp = new Error(texts.toolTimedOut)

/**
 * The tool's result, or that it did not end within the grace period after a stop or its time limit. A tool past its limit gets
 * the period too: the next call must not run beside a change that is still being made.
 */
async function firstToEnd(
  ports: LoopPorts,
  run: Execution,
  running: Promise<ToolResultMessage>,
): Promise<ToolResultMessage> {
  const { clock, limits } = ports
  const { signal } = run.stop
  const { promise: ended, resolve: end } = Promise.withResolvers<ToolResultMessage>()
  const cancels: (() => void)[] = []
  if (!run.tool.keepsTime) {
    cancels.push(clock.timer(limits.toolTime ?? defaultToolTime, () => run.stop.abort(timeUp)))
  }
  const stopped = (): void => {
    cancels.push(clock.timer(grace, () => end(stoppedResult(run.call, signal))))
  }
  if (signal.aborted) stopped()
  else signal.addEventListener("abort", stopped)
  try {
    return await Promise.race([running, ended])
  } finally {
    signal.removeEventListener("abort", stopped)
    for (const cancel of cancels) cancel()
  }
}

function toMessage(call: ToolCall, result: ToolResult): ToolResultMessage {
  return {
    role: "tool",
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    details: result.details,
    isError: result.isError,
    status: result.status ?? (result.isError ? "error" : "ok"),
    ...(result.files ? { files: result.files } : {}),
  }
}

function thrown(call: ToolCall, error: unknown, signal: AbortSignal): ToolResultMessage {
  if (signal.reason === timeUp) return stoppedResult(call, signal)
  const { message } = failureOf(error)
  return resultText(call, signal.aborted ? "aborted" : "error", message || `${call.name} failed without a reason`)
}

function stoppedResult(call: ToolCall, signal: AbortSignal): ToolResultMessage {
  return signal.reason === timeUp
    ? resultText(call, "timeout", texts.toolTimedOut)
    : resultText(call, "aborted", texts.aborted)
}

function bounded(content: readonly UserContent[]): readonly UserContent[] {
  return content.map((block) => {
    if (block.type !== "text" || block.text.length <= maxResultLength) return block
    const cut = `\n[Cut after ${maxResultLength} of ${block.text.length} characters.]`
    return { type: "text", text: block.text.slice(0, maxResultLength) + cut }
  })
}

function redactBlock(ports: LoopPorts, block: UserContent): UserContent {
  if (block.type !== "text") return block
  return { type: "text", text: ports.redact(block.text) }
}
