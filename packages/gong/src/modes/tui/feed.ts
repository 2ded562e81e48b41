import {
  type Clock,
  type Declarations,
  type Event,
  type ImageContent,
  projection,
  type PublishedStep,
} from "@gong/spec"
import type { Session } from "@gong/session/session"
import { orderedOutput } from "../ordered-output.ts"
import { type CallLine, type ProgressLine, progressLines, type ResultRows } from "../progress.ts"
import type { RenderCallEnd } from "../render-call.ts"
import { outputReader } from "@gong/screen/command-output"
import type { Block, Line, Span } from "@gong/screen/row"
import { withWordMarks } from "@gong/screen/word-marks"
import { seconds } from "@gong/texts/amounts"
import { imageBlock, type ImageOptions } from "./text/images.ts"
import { replyText } from "./text/reply.ts"
import { runningCalls } from "./text/running-calls.ts"
import type { Message } from "./messages.ts"

export interface FeedOptions extends ImageOptions {
  readonly clock: Clock
  readonly render: RenderCallEnd | null
  /** A turn has ended. `contextTokens`: tokens of the next request. */
  turned(contextTokens: number): void
  /** Gets what changes on the screen, in order. */
  emit(message: Message): void
}

/** Before the lines below a call. */
const OUTPUT_INDENT = "      "
/** Rows of a result that stay in the transcript. */
const resultRows: ResultRows = { output: 10, failed: 40, diff: 40 }

/** Turns the events of a session into messages of the screen. */
export interface EventFeed {
  take(event: Event): void
  /** The reply in progress is void; the model begins again. */
  discard(): void
  /** Resolves when all that was received is on the screen. */
  settled(): Promise<void>
}

export interface SessionFeed extends Pick<EventFeed, "settled"> {
  close(): void
}

/** Shows the steps of a session. */
export function feedSession(session: Session, options: FeedOptions): SessionFeed {
  const feed = createFeed(session.declared, options)
  const events = projection({ partial: true, contextWindow: 0 })
  const take = (step: PublishedStep): void => {
    if ("partial" in step && step.partial.type === "discard") feed.discard()
    for (const event of events.project(step)) feed.take(event)
    if ("notification" in step && step.notification.code === "queue")
      options.emit({ kind: "waiting", texts: waitingTexts(session) })
  }
  const close = session.subscribe((step) => {
    try {
      take(step)
    } catch (error) {
      // The session ignores errors of listeners; users must see them.
      const line = [{ text: `gong: ${String(error)}`, role: "error" }]
      options.emit({ kind: "blocks", blocks: [{ line, whole: false }] })
    }
  })
  return { settled: () => feed.settled(), close }
}

export function createFeed(declared: Declarations, options: FeedOptions): EventFeed {
  const { t, clock, render, turned, emit } = options
  const commands = { undo: "/undo compaction", output: "/output" }
  const lineOf = progressLines({ t, declared, ...commands, rows: resultRows, render })
  const output = orderedOutput()
  const reply = replyText({ columns: () => options.size().columns, output, emit })
  const calls = runningCalls({ t, clock, changed: (running) => emit({ kind: "calls", calls: running }) })
  /** What the last line belongs to; different parts are separated by a blank line. */
  let part: "none" | "text" | "call" = "none"
  const show = (blocks: readonly Block[]): void => output.run(() => emit({ kind: "blocks", blocks }))
  const begin = (next: typeof part): void => {
    if (part !== next) show([{ line: [], whole: false }])
    part = next
  }
  return {
    take(event) {
      const thought = calls.take(event)
      if (thought !== null) {
        begin("call")
        show([mutedBlock(`  ${t`thought`}  ${seconds(thought)}`)])
      }
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
      const images = imagesIn(event).map((image) => imageBlock(image, options))
      if (images.length > 0) show(images)
    },
    discard() {
      calls.clear()
      if (part !== "text") return
      reply.end()
      show([mutedBlock(t`(this reply was discarded; the model begins again)`)])
    },
    settled: () => output.settled(),
  }
}

/** Images of a result. */
function imagesIn(event: Event): readonly ImageContent[] {
  if (event.type !== "tool_execution_end") return []
  return event.content.filter((part) => part.type === "image")
}

export function waitingTexts({ waiting: { steer, followUp } }: Pick<Session, "waiting">): readonly string[] {
  return [...steer, ...followUp].map(({ text }) => text)
}

function mutedBlock(text: string): Block {
  return { line: [{ text, role: "muted" }], whole: false }
}

/** Lines of progress are indented; those of output and diffs are whole, so that they can be copied. */
function progressBlocks(shown: NonNullable<ProgressLine>, text: string): readonly Block[] {
  const { diff, prose, call, kind } = shown
  const [first = "", ...others] = text.split("\n")
  const isOwn = call !== undefined && text === shown.text
  const head: Block = isOwn
    ? callBlock(call)
    : { line: [kind === "warning" ? { text: first, role: "warn" } : { text: `  ${first}` }], whole: false }
  if (prose === true) {
    const indent: Line = [{ text: OUTPUT_INDENT }]
    return [head, ...others.map((row) => ({ ...mutedBlock(row.trimStart()), indent }))]
  }
  const output = outputReader()
  const lines = others.map((row): Line => {
    if (diff === true) return [{ text: `  ${row}`, ...diffRole(row) }]
    // Before a carriage return in the row the indentation stays.
    const [blanks = ""] = /^ {0,4}/.exec(row) ?? []
    return [{ text: `  ${blanks}` }, ...output.line(row.slice(blanks.length), "muted")]
  })
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
