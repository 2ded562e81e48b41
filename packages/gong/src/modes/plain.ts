import { projection, type RunEnd } from "@gong/spec"
import type { SessionController } from "@gong/app/controller/api"
import type { Person, SlashEnd } from "@gong/app/slash/parts"
import { runSummary } from "@gong/session/result"
import type { LineReader } from "../terminal/lines.ts"
import { leaveWithJobs } from "./jobs.ts"
import { report } from "./report.ts"
import { type ProgressLine, progressLines } from "./progress.ts"
import type { PromptInput } from "@gong/app/controller/prompt-input"
import { answerQuestions } from "./plain-questions.ts"
import { plainPerson } from "./plain-person.ts"
import { inOrder } from "./in-order.ts"
import type { ShowEnd } from "./show-call.ts"
import type { Surface } from "./surface.ts"

export interface PlainOptions {
  /** The message of the command line, sent before the first line is read. */
  readonly first: PromptInput | null
  /** Said once at the start. */
  readonly greeting: readonly string[]
  /** Makes lines of ended calls in place of Gong's; null: nothing does. */
  readonly show: ShowEnd | null
  exitOf(end: RunEnd): number
  now(): number
  /** Puts a text on the clipboard; says how, or why not. */
  readonly copy: Person["copy"]
}

/** Milliseconds in which a second Ctrl+C means "leave". */
const twice = 2_000

/**
 * A conversation line by line: no cursor movement, fit for screen readers and dumb terminals (interface part 5 K).
 */
export async function plain(
  controller: SessionController,
  surface: Surface,
  lines: LineReader,
  options: PlainOptions,
): Promise<number> {
  for (const line of options.greeting) surface.err(`${line}\n`)
  const stop = leaveOnInterrupt(controller, surface, lines, options)
  let exit = 0
  for (let input = options.first; ; input = null) {
    input ??= await readMessage(lines)
    if (stop.left) break
    const end = input === null ? leave : await commandOf(controller, surface, lines, input.text, options)
    if (end.kind === "leave") {
      const { jobs, info } = controller.current
      // In a sandbox no job can go on without Gong.
      if (await leaveWithJobs(jobs, lines, surface, info.sandbox.mode === "off")) break
      continue
    }
    if (end.kind === "said" || end.text.trim() === "") continue
    exit = await turn(controller, surface, lines, { images: [], seen: [], ...input, text: end.text }, options)
    controller.idle()
  }
  lines.close()
  return stop.left ? 130 : exit
}

const leave: SlashEnd = { kind: "leave" }

/** What a line comes to; what the session says meanwhile is shown. */
async function commandOf(
  controller: SessionController,
  surface: Surface,
  lines: LineReader,
  text: string,
  { copy }: PlainOptions,
): Promise<SlashEnd> {
  const { session } = controller.current
  const say = progressLines(surface.t, undoLine, session.declared)
  const events = projection({ partial: false, contextWindow: 0 })
  const unsubscribe = session.subscribe(
    (step) => {
      for (const event of events.project(step)) sayLine(surface, say(event))
    },
    { partials: false },
  )
  try {
    const end = await controller.typed(text, plainPerson(lines, surface, copy))
    if (end.kind === "said") for (const line of end.lines) surface.err(`${line}\n`)
    return end
  } finally {
    unsubscribe()
  }
}

const undoLine = "/undo compaction"

function sayLine(surface: Surface, line: ProgressLine): void {
  if (line) sayText(surface, line.text)
}

function sayText(surface: Surface, text: string): void {
  surface.err(`  ${text}\n`)
}

async function turn(
  controller: SessionController,
  surface: Surface,
  lines: LineReader,
  input: PromptInput,
  options: PlainOptions,
): Promise<number> {
  const { session } = controller.current
  const collected = runSummary()
  const line = progressLines(surface.t, undoLine, session.declared, options.show)
  const order = inOrder()
  const events = projection({ partial: true, contextWindow: 0 })
  let open = false
  const unsubscribe = session.subscribe((step) => {
    if ("entries" in step) for (const entry of step.entries) collected.add(entry)
    for (const event of events.project(step)) {
      if (event.type === "message_update" && event.kind === "text" && event.parent === undefined) {
        const { delta } = event
        order.next(() => {
          surface.out(delta)
          open = !delta.endsWith("\n")
        })
      } else {
        const said = line(event)
        if (said === null && event.type !== "message_end") continue
        order.next(() => {
          if (open) surface.out("\n")
          open = false
        })
        if (said) order.say(said, (text) => sayText(surface, text))
      }
    }
  })
  const leaveQuestions = answerQuestions(session, lines, surface, order)
  const end = await controller.prompt(input)
  leaveQuestions()
  unsubscribe()
  await order.settled()
  report(surface, end, collected.summary())
  if (end.status === "interrupted") surface.err(surface.t`Stopped.\n`)
  return options.exitOf(end)
}

/** One message: a line, or several between `"""` lines, or lines that end with a backslash. */
async function readMessage(lines: LineReader): Promise<PromptInput | null> {
  const first = await lines.ask("> ")
  if (first === null) return null
  const text = first.trim() === '"""' ? await readBlock(lines) : await readContinued(lines, first)
  return { text, images: [], seen: [] }
}

async function readBlock(lines: LineReader): Promise<string> {
  const block: string[] = []
  for (;;) {
    const next = await lines.ask("... ")
    if (next === null || next.trim() === '"""') return block.join("\n")
    block.push(next)
  }
}

async function readContinued(lines: LineReader, first: string): Promise<string> {
  let text = first
  while (text.endsWith("\\")) {
    const next = await lines.ask("... ")
    text = `${text.slice(0, -1)}\n${next ?? ""}`
    if (next === null) break
  }
  return text
}

function leaveOnInterrupt(
  controller: SessionController,
  surface: Surface,
  lines: LineReader,
  options: PlainOptions,
): { readonly left: boolean } {
  const state = { left: false, last: -twice }
  lines.onInterrupt(() => {
    const now = options.now()
    if (now - state.last < twice) {
      state.left = true
      controller.current.session.abort()
      lines.close()
      return
    }
    state.last = now
    if (controller.current.session.running) controller.current.session.abort()
    surface.err(surface.t`\n(Ctrl+C again leaves)\n`)
  })
  return state
}
