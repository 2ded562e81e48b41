import { type Clock, type Event, projection, type PublishedStep } from "@gong/spec"
import type { Session } from "@gong/session/session"
import { printableLine } from "@gong/texts/printable"
import type { Translate } from "@gong/texts/translator"
import { orderedOutput } from "../ordered-output.ts"
import { type CallLine, type ProgressLine, progressLines } from "../progress.ts"
import type { RenderCallEnd } from "../render-call.ts"
import type { Block, Line, Span } from "@gong/screen/row"
import { withWordMarks } from "@gong/screen/word-marks"
import { replyText } from "./text/reply.ts"
import type { RunningCall } from "./state.ts"
import type { Message } from "./messages.ts"

export interface FeedOptions {
  readonly t: Translate
  readonly clock: Clock
  readonly render: RenderCallEnd | null
  /** Of the screen now. */
  columns(): number
  /** A turn has ended. `contextTokens`: tokens of the next request. */
  turned(contextTokens: number): void
  /** Gets what changes on the screen, in order. */
  emit(message: Message): void
}

/** Bytes of output of a running call that are kept, and rows of it. */
const TAIL_MAX_CHARS = 4_000
const TAIL_ROWS = 5
/** Rows of the output of a command that stay in the transcript. */
const OUTPUT_ROWS = 5

export interface SessionFeed {
  /** Resolves when all that was received is on the screen. */
  settled(): Promise<void>
  close(): void
}

/** Turns the steps of a session into messages of the screen. */
export function feedSession(session: Session, { t, clock, render, columns, turned, emit }: FeedOptions): SessionFeed {
  const lineOf = progressLines({
    t,
    declared: session.declared,
    undo: "/undo compaction",
    output: "/output",
    outputRows: OUTPUT_ROWS,
    render,
  })
  const output = orderedOutput()
  const reply = replyText({ columns, output, emit })
  const events = projection({ partial: true, contextWindow: 0 })
  const calls = runningCalls(clock, (running) => emit({ kind: "calls", calls: running }))
  /** What the last line belongs to; different parts are separated by a blank line. */
  let part: "none" | "text" | "call" = "none"
  const begin = (next: typeof part): void => {
    if (part !== next) output.run(() => emit({ kind: "blocks", blocks: [{ line: [], whole: false }] }))
    part = next
  }
  const take = (event: Event): void => {
    calls.take(event)
    if (event.type === "message_update") {
      if (event.kind !== "text" || event.parent !== undefined) return
      begin("text")
      return reply.take(event.delta)
    }
    if (event.type === "turn_end" && event.parent === undefined) turned(event.contextTokens)
    if (event.type === "agent_start") {
      part = "none"
      reply.prepare()
    }
    const line = lineOf(event)
    if (line === null && event.type !== "message_end" && event.type !== "agent_end") return
    reply.end()
    if (line) begin("call")
    if (line) output.write(line, (text) => emit({ kind: "blocks", blocks: progressBlocks(line, text) }))
  }
  const discard = (): void => {
    calls.clear()
    if (part !== "text") return
    reply.end()
    const line: Line = [{ text: t`(this reply was discarded; the model begins again)`, role: "muted" }]
    output.run(() => emit({ kind: "blocks", blocks: [{ line, whole: false }] }))
  }
  const close = session.subscribe((step: PublishedStep) => {
    if ("partial" in step && step.partial.type === "discard") discard()
    for (const event of events.project(step)) take(event)
    if ("notification" in step && step.notification.code === "queue")
      emit({ kind: "waiting", texts: waitingTexts(session) })
  })
  return { settled: () => output.settled(), close }
}

export function waitingTexts({ waiting: { steer, followUp } }: Pick<Session, "waiting">): readonly string[] {
  return [...steer, ...followUp].map(({ text }) => text)
}

/** Lines of progress are indented; those of output and diffs are whole, so that they can be copied. */
function progressBlocks(shown: NonNullable<ProgressLine>, text: string): readonly Block[] {
  const { diff, call, kind } = shown
  const [first = "", ...others] = text.split("\n")
  const isOwn = call !== undefined && text === shown.text
  const head: Block = isOwn
    ? callBlock(call)
    : { line: [kind === "warning" ? { text: first, role: "warn" } : { text: `  ${first}` }], whole: false }
  const lines = others.map((row): Line => [
    { text: `  ${row}`, ...(diff === true ? diffRole(row) : { role: "muted" }) },
  ])
  return [head, ...(diff === true ? withWordMarks(lines) : lines).map((line) => ({ line, whole: true }))]
}

function diffRole(row: string): Pick<Span, "role"> {
  const role = { "+": "added", "-": "removed" }[row.trimStart()[0] ?? ""]
  return role === undefined ? {} : { role }
}

function callBlock({ indent, name, title, facts, isFailed }: CallLine): Block {
  const line: Line = [
    { text: name, role: "strong" },
    { text: ` ${title}`.trimEnd() },
    { text: `  ${facts.join("  ")}`, role: isFailed ? "error" : "muted" },
  ]
  return { line, whole: false, indent: [{ text: `  ${indent}` }] }
}

/**
 * Calls that are in progress, with the end of their output, from the first of their arguments on; those of subtasks are left to
 * their own lines.
 */
function runningCalls(clock: Clock, changed: (running: readonly RunningCall[]) => void) {
  const running = new Map<string, RunningCall>()
  const tails = new Map<string, string>()
  return {
    take(event: Event): void {
      if ("parent" in event && event.parent !== undefined) return
      if (event.type === "message_update") {
        const { toolCallId: id, name = "" } = event
        if (id === undefined || running.has(id)) return
        running.set(id, { id, title: `${name} ...`, startedAt: clock.now(), tail: [] })
      } else if (event.type === "tool_execution_start") {
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
      } else if (event.type === "permission_request") {
        // The question shows the call.
        if (event.toolCallId === undefined || !running.delete(event.toolCallId)) return
      } else if (event.type === "agent_end") return this.clear()
      else return
      changed([...running.values()])
    },
    clear(): void {
      running.clear()
      tails.clear()
      changed([])
    },
  }
}

/** A carriage return begins a row anew, as progress bars do. */
function lastRows(tail: string): readonly string[] {
  const rows = tail.trimEnd().split("\n").slice(-TAIL_ROWS)
  return rows.map((row) => printableLine(row.trimEnd().split("\r").at(-1) ?? "")).filter((row) => row !== "")
}
