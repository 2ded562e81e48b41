import { type Jobs, type PermissionAnswer, type PermissionRequest, projection, type RunEnd } from "@gong/spec"
import type { Session } from "../session/session.ts"
import { runSummary } from "../session/result.ts"
import type { LineReader } from "../terminal/lines.ts"
import { leaveWithJobs } from "./jobs.ts"
import { report } from "./report.ts"
import { progressLines } from "./progress.ts"
import type { PromptInput } from "./input.ts"
import type { Surface } from "./surface.ts"

export interface PlainOptions {
  /** The message of the command line, sent before the first line is read. */
  readonly first: PromptInput | null
  /** Said once at the start. */
  readonly greeting: readonly string[]
  exitOf(end: RunEnd): number
  now(): number
  /** A run has ended, and the next message is waited for. Does not throw; what it begins may take its time. */
  idle(): void
  /** Puts back the files that the session changed; whole lines that say what was done. */
  undo(): Promise<string>
  readonly jobs: Jobs
  /** Whether a job can go on without Gong: in a sandbox it cannot. */
  readonly jobsCanStay: boolean
}

/** Milliseconds in which a second Ctrl+C means "leave". */
const twice = 2_000

/** A conversation line by line: no cursor movement, fit for screen readers and dumb terminals (interface part 5 K). */
export async function plain(
  session: Session,
  surface: Surface,
  lines: LineReader,
  options: PlainOptions,
): Promise<number> {
  for (const line of options.greeting) surface.err(`${line}\n`)
  const stop = leaveOnInterrupt(session, surface, lines, options)
  let exit = 0
  for (let input = options.first; ; input = null) {
    input ??= await readMessage(lines)
    if (stop.left) break
    if (input === null) {
      if (await leaveWithJobs(options.jobs, lines, surface, options.jobsCanStay)) break
      continue
    }
    if (input.text.trim() === "") continue
    if (input.text.trim() === "/undo") {
      surface.err(await options.undo())
      continue
    }
    exit = await turn(session, surface, input, options)
    options.idle()
  }
  lines.close()
  return stop.left ? 130 : exit
}

async function turn(session: Session, surface: Surface, input: PromptInput, options: PlainOptions): Promise<number> {
  const collected = runSummary()
  const line = progressLines()
  const events = projection({ partial: true, contextWindow: 0 })
  let open = false
  const unsubscribe = session.subscribe((step) => {
    if ("entries" in step) for (const entry of step.entries) collected.add(entry)
    for (const event of events.project(step)) {
      if (event.type === "message_update" && event.kind === "text") {
        surface.out(event.delta)
        open = !event.delta.endsWith("\n")
      } else {
        const said = line(event)
        if (said || event.type === "message_end") {
          if (open) surface.out("\n")
          open = false
        }
        if (said) surface.err(`  ${said.text}\n`)
      }
    }
  })
  const end = await session.prompt(input.text, input)
  unsubscribe()
  report(surface, end, collected.summary())
  if (end.status === "interrupted") surface.err("Stopped.\n")
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
  session: Session,
  surface: Surface,
  lines: LineReader,
  options: PlainOptions,
): { readonly left: boolean } {
  const state = { left: false, last: -twice }
  lines.onInterrupt(() => {
    const now = options.now()
    if (now - state.last < twice) {
      state.left = true
      session.abort()
      lines.close()
      return
    }
    state.last = now
    if (session.running) session.abort()
    surface.err("\n(Ctrl+C again leaves)\n")
  })
  return state
}

/** Asks for permission: shows all that would run, and takes y, s, a, n, or e for a no with a reason. */
export async function confirmPlain(
  lines: LineReader,
  surface: Surface,
  request: PermissionRequest,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const whole = wholeOf(request)
  surface.out(`${request.tool} needs permission\n${indented(whole)}\n  why: ${request.reason}\n`)
  const what = whole === request.title ? `"${whole}"` : "all of this"
  const always = request.suggestedRule === undefined ? "" : ` [a]lways ${request.suggestedRule}`
  const ask = (prompt: string) => lines.ask(prompt, { signal, fresh: true })
  for (;;) {
    const answer = await ask(`Run ${what}? [y]es [s]ession${always} [n]o [e]xplain: `)
    switch (answer?.trim().toLowerCase()) {
      case "y":
        return { choice: "once" }
      case "s":
        return { choice: "session" }
      case "a":
        if (request.suggestedRule !== undefined) return { choice: "always" }
        break
      case "e":
        return { choice: "no", message: (await ask("Say why: ")) ?? "" }
      case undefined:
      case "n":
        return { choice: "no" }
      default:
    }
  }
}

/** A title is only the beginning of a command, and nobody can say yes to what they do not see. */
function wholeOf({ args, title }: PermissionRequest): string {
  const { command } = args
  return typeof command === "string" ? command.trim() : title
}

/** Characters of a command that is asked about. */
const maxShown = 5_000

function indented(text: string): string {
  const hidden = text.length - maxShown
  const shown = hidden > 0 ? `${text.slice(0, maxShown)}\n... (${hidden} more characters are not shown)` : text
  return shown.replace(/^/gm, "  ")
}
