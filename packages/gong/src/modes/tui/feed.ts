import { type Clock, type Event, projection, type PublishedStep } from "@gong/spec"
import type { Session } from "@gong/session/session"
import { printableLine } from "@gong/texts/printable"
import type { Translate } from "@gong/texts/translator"
import { orderedOutput } from "../ordered-output.ts"
import { type ProgressLine, progressLines } from "../progress.ts"
import type { RenderCallEnd } from "../render-call.ts"
import type { Block, RunningCall } from "./state.ts"
import type { Message } from "./update.ts"

export interface FeedOptions {
  readonly t: Translate
  readonly clock: Clock
  readonly render: RenderCallEnd | null
  /** Gets what changes on the screen, in order. */
  emit(message: Message): void
}

/** Bytes of output of a running call that are kept, and rows of it. */
const TAIL_MAX_CHARS = 4_000
const TAIL_ROWS = 5

/** Turns the steps of a session into messages of the screen. Returns a function that ends this. */
export function feedSession(session: Session, { t, clock, render, emit }: FeedOptions): () => void {
  const lineOf = progressLines({ t, declared: session.declared, undo: "/undo compaction", output: "/output", render })
  const output = orderedOutput()
  const events = projection({ partial: true, contextWindow: 0 })
  const calls = runningCalls(clock, (running) => emit({ kind: "calls", calls: running }))
  const take = (event: Event): void => {
    calls.take(event)
    if (event.type === "message_update") {
      if (event.kind === "text" && event.parent === undefined)
        output.run(() => emit({ kind: "delta", text: event.delta }))
      return
    }
    const line = lineOf(event)
    if (line === null && event.type !== "message_end") return
    output.run(() => emit({ kind: "end-line" }))
    if (line) output.write(line, (text) => emit({ kind: "blocks", blocks: progressBlocks(line, text) }))
  }
  return session.subscribe((step: PublishedStep) => {
    for (const event of events.project(step)) take(event)
    if ("notification" in step && step.notification.code === "queue")
      emit({ kind: "waiting", texts: waitingTexts(session) })
  })
}

export function waitingTexts({ waiting: { steer, followUp } }: Pick<Session, "waiting">): readonly string[] {
  return [...steer, ...followUp].map(({ text }) => text)
}

/** Lines of progress are indented; those of output and diffs are whole, so that they can be copied. */
function progressBlocks({ diff }: NonNullable<ProgressLine>, text: string): readonly Block[] {
  return text.split("\n").map((row, at): Block => {
    const sign = row.trimStart()[0]
    const role = at > 0 && diff === true ? { "+": "added", "-": "removed" }[sign ?? ""] : undefined
    return { line: [{ text: `  ${row}`, ...(role !== undefined && { role }) }], whole: at > 0 }
  })
}

/** Calls that are in progress, with the end of their output; those of subtasks are left to their own lines. */
function runningCalls(clock: Clock, changed: (running: readonly RunningCall[]) => void) {
  const running = new Map<string, RunningCall>()
  const tails = new Map<string, string>()
  return {
    take(event: Event): void {
      if ("parent" in event && event.parent !== undefined) return
      if (event.type === "tool_execution_start") {
        const title = `${event.name} ${event.title}`.trimEnd()
        running.set(event.toolCallId, { id: event.toolCallId, title, startedAt: clock.now(), tail: [] })
      } else if (event.type === "tool_execution_update") {
        const call = running.get(event.toolCallId)
        if (call === undefined) return
        const tail = `${tails.get(call.id) ?? ""}${event.delta}`.slice(-TAIL_MAX_CHARS)
        tails.set(call.id, tail)
        running.set(call.id, { ...call, tail: lastRows(tail) })
      } else if (event.type === "tool_execution_end") {
        running.delete(event.toolCallId)
        tails.delete(event.toolCallId)
      } else return
      changed([...running.values()])
    },
  }
}

/** A carriage return begins a row anew, as progress bars do. */
function lastRows(tail: string): readonly string[] {
  const rows = tail.trimEnd().split("\n").slice(-TAIL_ROWS)
  return rows.map((row) => printableLine(row.trimEnd().split("\r").at(-1) ?? "")).filter((row) => row !== "")
}
