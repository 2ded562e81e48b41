import { type Event, projection, type ResultEvent, type RunEnd, type SessionEvent } from "@gong/spec"
import type { Session } from "../session/session.ts"
import { resultEvent, runSummary } from "../session/result.ts"
import type { PromptInput } from "./input.ts"
import type { Surface } from "./surface.ts"

export interface EventsOptions {
  readonly input: PromptInput
  /** The first line. */
  readonly session: SessionEvent
  /** Also what is still streaming. */
  readonly partial: boolean
  /** Tokens; of the model in use. */
  readonly contextWindow: number
  readonly save: ((text: string) => Promise<void>) | null
  exitOf(end: RunEnd): number
  /** Milliseconds since the epoch. */
  now(): number
}

/** Bytes of one line (interface part 3). */
const maxLine = 1_000_000
/** Characters of one text in a line that was longer. */
const maxText = 100_000

/** One prompt as JSON lines: `session` first, `result` last. Returns the exit status. */
export async function events(session: Session, surface: Surface, options: EventsOptions): Promise<number> {
  const startedAt = options.now()
  const write = lineWriter(surface, options.now)
  const collected = runSummary()
  const projected = projection(options)
  write(options.session)
  const unsubscribe = session.subscribe(
    (step) => {
      if ("entries" in step) for (const entry of step.entries) collected.add(entry)
      for (const event of projected.project(step)) write(event)
    },
    { drafts: options.partial },
  )
  const end = await session.prompt(options.input.text, options.input)
  unsubscribe()
  const summary = collected.summary()
  const exit = options.exitOf(end)
  const result: ResultEvent & { readonly run: string } = {
    ...resultEvent(end, exit, summary, session.id, options.now() - startedAt),
    run: "r1",
  }
  write(result)
  if (options.save) await options.save(summary.text)
  return exit
}

/** Numbers and dates each event as it comes. */
export function lineWriter(surface: Surface, now: () => number): (event: Event) => void {
  let seq = 0
  return (event) => {
    seq += 1
    surface.out(eventLine(event, seq, new Date(now()).toISOString()))
  }
}

/** An event as its line of at most 1 MB; `time` is ISO 8601, UTC. The type comes first, so that a line can be told by its beginning. */
export function eventLine({ type, ...rest }: { readonly type: Event["type"] }, seq: number, time: string): string {
  const numbered = { type, seq, time, ...rest }
  const line = JSON.stringify(numbered)
  return `${fits(line) ? line : JSON.stringify(shortened(numbered))}\n`
}

/** A character is at most three bytes: only long lines have to be counted. */
function fits(line: string): boolean {
  return line.length * 3 <= maxLine || (line.length <= maxLine && new TextEncoder().encode(line).length <= maxLine)
}

/** A copy whose long texts are cut and say so; the tape has them whole. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length <= maxText ? value : `${value.slice(0, maxText)}... [cut: ${value.length} characters]`
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]))
}
