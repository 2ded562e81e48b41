import { englishOf, type NewEntry, type Step, type ToolResultMessage } from "@gong/spec"
import { execute } from "./execute.ts"
import { mailbox } from "./mailbox.ts"
import type { LoopPorts } from "./ports.ts"
import type { Prepared } from "./prepare.ts"
import { resultText } from "./result.ts"
import * as texts from "./texts.ts"

type Ready = Extract<Prepared, { ready: true }>

/** Something a running tool wants on the stream; `written` is called once the step was taken. */
interface Item {
  readonly step: Step | null
  readonly written?: () => void
}

/** Progress that nobody has taken yet is dropped beyond this: it is only shown, and the result holds it all. */
const maxWaiting = 100

/** Milliseconds for which a start may wait for what follows it: too short for anybody to miss it. */
const maxHold = 20

/** What a batch came to, and the starts that are still to be written in front of its results. */
export interface BatchResult {
  readonly held: readonly NewEntry[]
  readonly results: readonly ToolResultMessage[]
}

// Reasons made once: an abort without one builds an error with its stack each time.
const steered = new Error("Interrupted by a message of the user")
const leftEarly = new Error("The run was left")

/**
 * Runs permitted calls beside each other and gives their results in call order. All starts are written before the
 * first runs; a change is written before it is made. Whoever leaves early stops the tools and waits for their end.
 */
export async function* runBatch(ports: LoopPorts, batch: readonly Ready[]): AsyncGenerator<Step, BatchResult> {
  // Before the effect is early enough: what only looks has its start written with what follows, if that comes at once.
  const held = batch.map(startOf)
  if (!batch.every(({ tool }) => tool.readOnly || tool.recordsChanges)) yield { entries: held.splice(0) }
  // Writing the starts may be just what showed that nothing can be written: then nothing may take effect either.
  const stalled = batch.every(({ tool }) => tool.readOnly) ? null : await ports.refuseChanges()
  if (stalled !== null) {
    const refused = batch.map(({ call }) => resultText(call, "refused", texts.refusedBecause(stalled)))
    return { held: [], results: refused }
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
  const left: Left = { gone: false, refuse: [] }
  let running = batch.length
  const all = batch.map(async (ready, index) => {
    const stop = stops[index] ?? new AbortController()
    const onProgress = (delta: string): void => {
      if (box.size < maxWaiting) box.put({ step: { partial: { type: "progress", callId: ready.call.id, delta } } })
    }
    const record = (entry: NewEntry): Promise<void> => write(ports, box, entry, left)
    results[index] = await execute(ports, { ...ready, stop, onProgress, record })
    running -= 1
    box.put({ step: null })
  })
  // What is held goes in front of every step with entries.
  const letGo = (): void => {
    if (held.length > 0) box.put({ step: { entries: [] } })
  }
  const cancelHold = held.length > 0 ? ports.clock.timer(maxHold, letGo) : null
  try {
    while (running > 0) {
      const item = await box.next()
      if (item.step) {
        const first = held.splice(0)
        if (first.length > 0 && !("entries" in item.step)) yield { entries: first }
        yield "entries" in item.step ? { entries: [...first, ...item.step.entries] } : item.step
      }
      item.written?.()
    }
  } finally {
    cancelHold?.()
    unsubscribe()
    ports.signal.removeEventListener("abort", onAbort)
    left.gone = true
    if (running > 0) stopAll(leftEarly)
    // Also of a tool whose grace ended while its change was being written: it must not go on to its effect.
    for (const refuse of left.refuse) refuse()
    await Promise.all(all)
  }
  const notifications = ports.hooks.takeNotifications()
  if (notifications.length > 0 && held.length > 0) yield { entries: held.splice(0) }
  for (const notification of notifications) yield { notification }
  return { held, results }
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

/** Converted copies of equal arrays and objects count as the same. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b)
}

/** Nobody takes steps after the batch was left: a tool must not wait for ever then, and must not go on to its effect. */
interface Left {
  gone: boolean
  readonly refuse: (() => void)[]
}

function write(ports: LoopPorts, box: { put(item: Item): void }, entry: NewEntry, left: Left): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new Error("The run was left before the change could be recorded"))
    if (left.gone) return refuse()
    left.refuse.push(refuse)
    const judge = async (): Promise<void> => {
      // Taken is not written: what waits in memory would not survive the effect that it is to undo.
      const stalled = await ports.refuseChanges()
      if (stalled === null) resolve()
      else reject(new Error(englishOf(texts.refusedBecause(stalled))))
    }
    box.put({ step: { entries: [entry] }, written: () => void judge().catch(reject) })
  })
}
