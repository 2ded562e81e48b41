import type { NewEntry, Step, Tool, ToolCall, ToolResultMessage } from "@gong/spec"
import { type BatchResult, runBatch } from "./batch.ts"
import type { LoopPorts } from "../ports.ts"
import { prepare, type Prepared } from "./prepare.ts"
import { resultText } from "./result.ts"
import * as texts from "../texts.ts"

const maxParallel = 4

/**
 * Runs all calls of one reply and returns one result per call, in call order. Neighbouring read-only calls run in parallel; any
 * other call runs alone (design section 6). After each batch a steering message, an abort or a refusal under `--strict`
 * skips the rest.
 */
export async function* runCalls(
  ports: LoopPorts,
  calls: readonly ToolCall[],
): AsyncGenerator<Step, readonly ToolResultMessage[]> {
  const results: ToolResultMessage[] = []
  for (const group of groups(ports, calls)) {
    const stopped = reasonToStop(ports, results)
    const done: BatchResult = stopped
      ? { deferred: [], results: group.map((call) => resultText(call, ...stopped)) }
      : yield* runGroup(ports, group)
    yield { entries: [...done.deferred, ...done.results.map((message): NewEntry => ({ type: "message", message }))] }
    results.push(...done.results)
  }
  return results
}

async function* runGroup(ports: LoopPorts, group: readonly ToolCall[]): AsyncGenerator<Step, BatchResult> {
  const prepared: Prepared[] = []
  for (const call of group) {
    prepared.push(
      ports.signal.aborted
        ? { ready: false, call, result: resultText(call, "aborted", texts.notRunStopped) }
        : yield* prepare(ports, call),
    )
  }
  const ready = prepared.filter((one) => one.ready)
  const ran = yield* runBatch(ports, ready)
  const byCall = new Map(ran.results.map((result, index) => [ready[index]?.call, result]))
  const results = prepared.flatMap((one) => (one.ready ? (byCall.get(one.call) ?? []) : one.result))
  return { deferred: ran.deferred, results }
}

function groups(ports: LoopPorts, calls: readonly ToolCall[]): readonly (readonly ToolCall[])[] {
  const tools = new Map(ports.tools().map((tool): [string, Tool] => [tool.name, tool]))
  const size = ports.toolExecution === "parallel" ? maxParallel : 1
  const out: { readonly reads: boolean; readonly calls: ToolCall[] }[] = []
  for (const call of calls) {
    const reads = tools.get(call.name)?.readOnly === true
    const last = out.at(-1)
    if (reads && last?.reads === true && last.calls.length < size) last.calls.push(call)
    else out.push({ reads, calls: [call] })
  }
  return out.map((group) => group.calls)
}

function reasonToStop(
  ports: LoopPorts,
  results: readonly ToolResultMessage[],
): readonly ["aborted" | "skipped", string] | null {
  if (ports.signal.aborted) return ["aborted", texts.notRunStopped]
  if (ports.hooks.stopping() !== null) return ["skipped", texts.notRunStopped]
  if (ports.inbox.has("steer")) return ["skipped", texts.skippedForUser]
  if (ports.strict && results.some((result) => result.status === "refused")) return ["skipped", texts.notRunStopped]
  return null
}
