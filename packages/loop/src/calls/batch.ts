import { englishOf, type NewEntry, type Step, type ToolResultMessage } from "@gong/spec"
import { execute } from "./execute.ts"
import { mailbox } from "../mailbox.ts"
import type { LoopPorts } from "../ports.ts"
import type { Prepared } from "./prepare.ts"
import { resultText } from "./result.ts"
import * as texts from "../texts.ts"

type Ready = Extract<Prepared, { ready: true }>

/** Output of a running tool for the stream; `written` is called after its step was taken. */
interface Item {
  readonly step: Step | null
  readonly written?: () => void
}

/** Progress updates waiting for the reader; more are dropped, since the result contains them. */
const maxWaiting = 100

/** Milliseconds for which a start may wait to be written together with later entries; too short to be noticed. */
const maxDeferral = 20

/** Results of a batch, and the starts that still have to be written before them. */
export interface BatchResult {
  readonly deferred: readonly NewEntry[]
  readonly results: readonly ToolResultMessage[]
}

// Created once: aborting without a reason builds an error with its stack each time.
const steered = new Error("Interrupted by a message of the user")
const leftEarly = new Error("The run was left")

/**
 * Runs permitted calls in parallel and returns their results in call order. All starts are written before the first call runs,
 * and a change is written before it is made. An early return stops the tools and waits for their end.
 */
export async function* runBatch(ports: LoopPorts, batch: readonly Ready[]): AsyncGenerator<Step, BatchResult> {
  // A start must precede the effect; that of a read-only call is written with later entries, if they follow soon.
  const deferred = batch.map(startOf)
  if (!batch.every(({ tool }) => tool.readOnly || tool.recordsChanges)) yield { entries: deferred.splice(0) }
  // Writing the starts may have failed; then nothing may take effect.
  const stalled = batch.every(({ tool }) => tool.readOnly) ? null : await ports.refuseChanges()
  if (stalled !== null) {
    const refused = batch.map(({ call }) => resultText(call, "refused", texts.refusedBecause(stalled)))
    return { deferred: [], results: refused }
  }

  const box = mailbox<Item>()
  const stops = batch.map(() => new AbortController())
  const stopAll = (reason: unknown): void => {
    for (const stop of stops) stop.abort(reason)
  }
  const onAbort = (): void => stopAll(ports.signal.reason)
  ports.signal.addEventListener("abort", onAbort)
  if (ports.signal.aborted) onAbort()
  const unsubscribe = ports.inbox.onSteer((input) => {
    if (input.when === "after-tool") return
    for (const [index, { tool }] of batch.entries()) if (tool.interruptible) stops[index]?.abort(steered)
  })
  const results: ToolResultMessage[] = []
  const exit: BatchExit = { isOver: false, refuse: [] }
  let running = batch.length
  const all = batch.map(async (ready, index) => {
    const stop = stops[index] ?? new AbortController()
    const onProgress = (delta: string): void => {
      if (box.size() < maxWaiting) box.put({ step: { partial: { type: "progress", callId: ready.call.id, delta } } })
    }
    const record = (entry: NewEntry): Promise<void> => write(ports, box, entry, exit)
    results[index] = await execute(ports, { ...ready, stop, onProgress, record })
    running -= 1
    box.put({ step: null })
  })
  // Deferred starts precede every step with entries.
  const flushDeferred = (): void => {
    if (deferred.length > 0) box.put({ step: { entries: [] } })
  }
  const cancelFlush = deferred.length > 0 ? ports.clock.timer(maxDeferral, flushDeferred) : null
  try {
    while (running > 0) {
      const item = await box.next()
      if (item.step) {
        const first = deferred.splice(0)
        if (first.length > 0 && !("entries" in item.step)) yield { entries: first }
        yield "entries" in item.step ? { entries: [...first, ...item.step.entries] } : item.step
      }
      item.written?.()
    }
  } finally {
    cancelFlush?.()
    unsubscribe()
    ports.signal.removeEventListener("abort", onAbort)
    exit.isOver = true
    if (running > 0) stopAll(leftEarly)
    // Includes a tool whose grace period ended while its change was being written: it must not take effect.
    for (const refuse of exit.refuse) refuse()
    await Promise.all(all)
  }
  const notifications = ports.hooks.takeNotifications()
  if (notifications.length > 0 && deferred.length > 0) yield { entries: deferred.splice(0) }
  for (const notification of notifications) yield { notification }
  return { deferred, results }
}

function startOf({ call, tool, args, title }: Ready): NewEntry {
  return {
    type: "tool_start",
    callId: call.id,
    name: tool.name,
    title,
    ...(sameArguments(args, call.arguments) ? {} : { arguments: args }),
  }
}

function sameArguments(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => same(a[key], b[key]))
}

/** Compares by value: converted copies count as equal. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b)
}

/** After an early return nothing reads the steps: a waiting tool must fail then, and must not take effect. */
interface BatchExit {
  isOver: boolean
  readonly refuse: (() => void)[]
}

function write(ports: LoopPorts, box: { put(item: Item): void }, entry: NewEntry, exit: BatchExit): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new Error("The run was left before the change could be recorded"))
    if (exit.isOver) return refuse()
    exit.refuse.push(refuse)
    const judge = async (): Promise<void> => {
      // A step that was taken may still be in memory only, and would not survive the effect that it can undo.
      const stalled = await ports.refuseChanges()
      if (stalled === null) resolve()
      else reject(new Error(englishOf(texts.refusedBecause(stalled))))
    }
    box.put({ step: { entries: [entry] }, written: () => void judge().catch(reject) })
  })
}
