import { type Clock, projection, type RunEnd } from "@gong/spec"
import { errorText } from "@gong/app/controller/answer"
import type { SessionController } from "@gong/app/controller/api"
import type { UserDialogs, SlashResult } from "@gong/app/slash/result"
import { runSummary } from "@gong/session/result"
import { printableLine } from "@gong/texts/printable"
import type { LineReader } from "../../terminal/lines.ts"
import { lineDialogs } from "./line-dialogs.ts"
import { confirmExitWithJobs } from "../exit-with-jobs.ts"
import { reportInConversation } from "../report.ts"
import { type ProgressLine, progressLines } from "../progress.ts"
import { runningCalls } from "../running-calls.ts"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import { showQuestions } from "./questions.ts"
import { plainPerson } from "./person.ts"
import { wordWrap, wrapLine } from "../../terminal/word-wrap.ts"
import { paintedDiff, type Painter } from "../painter.ts"
import { orderedOutput } from "../ordered-output.ts"
import type { RenderCallEnd } from "../render-call.ts"
import type { OutputStreams } from "../output-streams.ts"

export interface PlainOptions {
  /** The message of the command line, sent before the first line is read. */
  readonly first: PromptInput | null
  /** Lines shown at the start. */
  readonly intro: readonly string[]
  /** Renders ended calls in place of Gong; null: none. */
  readonly render: RenderCallEnd | null
  exitOf(end: RunEnd): number
  readonly clock: Clock
  /** Columns of the terminal now, at which answers are broken; Infinity without one. */
  columns(): number
  /** For colours; null without a terminal. */
  readonly painter: Painter | null
  /** Copies a text to the clipboard; resolves with a line about how, or with the error. */
  readonly copy: UserDialogs["copy"]
}

/** Milliseconds in which a second Ctrl+C exits. */
const exitWindow = 2_000

/** Runs a conversation line by line: no cursor movement, for screen readers and dumb terminals (interface part 5 K). */
export async function plain(
  controller: SessionController,
  streams: OutputStreams,
  lines: LineReader,
  options: PlainOptions,
): Promise<number> {
  for (const line of options.intro) streams.err(`${wrapLine(line, options.columns())}\n`)
  const interrupt = exitOnInterrupt(controller, streams, lines, options)
  lines.onQueued((line) => {
    if (line.trim() !== "") streams.err(streams.t`  queued: ${firstLine(line)}\n`)
  })
  let exit = 0
  for (let input = options.first; ; input = null) {
    input ??= await readMessage(lines)
    if (interrupt.exits) break
    const end = input === null ? quit : await runTyped(controller, streams, lines, input.text, options)
    if (end.kind === "quit") {
      const { jobs, info } = controller.current
      const canKeep = info.sandbox.mode === "off"
      const print = (line: string): void => streams.err(`${line}\n`)
      if (await confirmExitWithJobs(jobs, { t: streams.t, dialogs: lineDialogs(lines, streams), canKeep, print })) break
      continue
    }
    if (end.kind === "output" || end.text.trim() === "") continue
    const { first } = options
    // The files of the first message are already in it.
    const isRead = first !== null && input === first
    const message = isRead ? { ...first, text: end.text } : await withMentions(controller, streams, end.text)
    if (message === null) continue
    exit = await runMessage(controller, streams, lines, message, options)
    controller.idle()
  }
  lines.close()
  return interrupt.exits ? 130 : exit
}

function firstLine(text: string): string {
  const [line = "", ...more] = text.split("\n")
  return printableLine(more.length === 0 ? line : `${line} ...`)
}

/** A typed message with the files that it mentions; null if one of them cannot be sent, which is printed. */
async function withMentions(
  controller: SessionController,
  { t, err }: OutputStreams,
  text: string,
): Promise<PromptInput | null> {
  const input = await controller.input(text)
  if (!input.ok) {
    err(`gong: ${t.text(errorText(input.error))}\n`)
    return null
  }
  for (const note of input.data.notes ?? []) err(`gong: ${t(note)}\n`)
  return input.data
}

const quit: SlashResult = { kind: "quit" }

/** Runs a typed line as a slash command, or returns it as a message; shows events meanwhile. */
async function runTyped(
  controller: SessionController,
  streams: OutputStreams,
  lines: LineReader,
  text: string,
  { copy, columns }: PlainOptions,
): Promise<SlashResult> {
  const { session } = controller.current
  const lineOf = progressLines({ t: streams.t, declared: session.declared, ...commands })
  const events = projection({ partial: false, contextWindow: 0 })
  const unsubscribe = session.subscribe(
    (step) => {
      for (const event of events.project(step)) writeLine(streams, lineOf(event))
    },
    { partials: false },
  )
  try {
    const end = await controller.typed(text, plainPerson(lines, streams, copy))
    if (end.kind === "output") for (const line of end.lines) streams.err(`${wrapLine(line, columns())}\n`)
    return end
  } finally {
    unsubscribe()
  }
}

const commands = { undo: "/undo compaction", output: "/output" } as const

function writeLine(streams: OutputStreams, line: ProgressLine): void {
  if (line) writeText(streams, line.text)
}

/** A replacement of a renderer has its own lines. */
function writePainted(streams: OutputStreams, painter: Painter | null, text: string, diff: boolean): void {
  if (!diff || painter === null) return writeText(streams, text)
  const [head = "", ...rows] = text.split("\n")
  const lines = [painter.style.text(head), ...(rows.length > 0 ? [paintedDiff(painter, rows.join("\n"))] : [])]
  painter.err(`  ${lines.join("\n")}\n`)
}

function writeText(streams: OutputStreams, text: string): void {
  streams.err(`  ${text}\n`)
}

async function runMessage(
  controller: SessionController,
  streams: OutputStreams,
  lines: LineReader,
  input: PromptInput,
  options: PlainOptions,
): Promise<number> {
  const { session } = controller.current
  const collected = runSummary()
  const lineOf = progressLines({ t: streams.t, declared: session.declared, ...commands, render: options.render })
  const output = orderedOutput()
  const events = projection({ partial: true, contextWindow: 0 })
  const running = runningCalls(options.clock, (line) => output.run(() => writeText(streams, line)))
  let openLine = false
  const wrap = wordWrap(options.columns)
  const unsubscribe = session.subscribe((step) => {
    if ("entries" in step) for (const entry of step.entries) collected.add(entry)
    for (const event of events.project(step)) {
      running.take(event)
      if (event.type === "message_update" && event.kind === "text" && event.parent === undefined) {
        const { delta } = event
        output.run(() => {
          streams.out(wrap.add(delta))
          openLine = !delta.endsWith("\n")
        })
      } else {
        const line = lineOf(event)
        if (line === null && event.type !== "message_end") continue
        output.run(() => {
          if (openLine) streams.out(wrap.add("\n"))
          openLine = false
        })
        if (line) output.write(line, (text) => writePainted(streams, options.painter, text, line.diff === true))
      }
    }
  })
  const hideQuestions = showQuestions(controller.current, lines, { ...options, streams, output })
  const end = await controller.prompt(input)
  running.stop()
  hideQuestions()
  unsubscribe()
  await output.settled()
  streams.out(wrap.flush())
  reportInConversation(streams, end, collected.summary())
  return options.exitOf(end)
}

/** One message: a line, or several between `"""` lines, or lines that end with a backslash. */
async function readMessage(lines: LineReader): Promise<PromptInput | null> {
  const first = await lines.question("> ", { main: true })
  if (first === null) return null
  const text = first.trim() === '"""' ? await readBlock(lines) : await readContinued(lines, first)
  return { text, images: [], seen: [] }
}

async function readBlock(lines: LineReader): Promise<string> {
  const block: string[] = []
  for (;;) {
    const next = await lines.question("... ", { main: true })
    if (next === null || next.trim() === '"""') return block.join("\n")
    block.push(next)
  }
}

async function readContinued(lines: LineReader, first: string): Promise<string> {
  let text = first
  while (text.endsWith("\\")) {
    const next = await lines.question("... ", { main: true })
    text = `${text.slice(0, -1)}\n${next ?? ""}`
    if (next === null) break
  }
  return text
}

function exitOnInterrupt(
  controller: SessionController,
  streams: OutputStreams,
  lines: LineReader,
  options: PlainOptions,
): { readonly exits: boolean } {
  const state = { exits: false, last: -exitWindow }
  lines.onEscape(() => {
    if (controller.current.session.running) controller.current.session.abort()
  })
  lines.onInterrupt(() => {
    const now = options.clock.now()
    if (now - state.last < exitWindow) {
      state.exits = true
      controller.current.session.abort()
      lines.close()
      return
    }
    state.last = now
    if (controller.current.session.running) controller.current.session.abort()
    streams.err(streams.t`\n(Ctrl+C again exits)\n`)
  })
  return state
}
