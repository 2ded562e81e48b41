import {
  clauseOf,
  type Clock,
  failureOf,
  isRecord,
  messageOf,
  phrase,
  type Phrase,
  type RenderedLine,
  type ShowCall,
  type Span,
  type SpanStyle,
  type Text,
} from "@gong/spec"
import type { Remote } from "./remote.ts"

export interface RendererDeps {
  readonly clock: Clock
  /** A line for the user. */
  notify(line: Phrase): void
}

/** Milliseconds for one call, since the display waits for it. */
const showTime = 250
/** Number of failures after which a renderer is turned off. */
const maxFailures = 3
const maxLines = 100
/** Maximum characters of one line. */
const maxLine = 1_000

/** Renders calls of a tool with an extension. If it throws, times out or returns no lines, Gong's own line is shown. */
export function remoteRenderer({ id, name, host }: Remote, tool: string, { clock, notify }: RendererDeps): ShowCall {
  let failures = 0
  const failed = (why: Text): null => {
    failures += 1
    if (failures === maxFailures)
      notify(phrase`${name}: the renderer of ${tool} is not asked again: ${clauseOf(why)}. Mend it, then /reload.`)
    return null
  }
  return async (call) => {
    if (failures >= maxFailures || host.isOff(id)) return null
    const stop = new AbortController()
    const { promise: late, resolve } = Promise.withResolvers<typeof tooLate>()
    const cancel = clock.timer(showTime, () => resolve(tooLate))
    try {
      const asked = host.call({ extension: id, target: { kind: "renderer", key: tool }, args: [call] }, stop)
      const given = await Promise.race([asked, late])
      if (given === tooLate) return failed(phrase`it gave no lines in ${showTime} ms`)
      if (given === null || given === undefined) return null
      return linesOf(given) ?? failed(phrase`it gives text, or a list of lines`)
    } catch (error) {
      return failed(messageOf(failureOf(error)))
    } finally {
      cancel()
      stop.abort()
    }
  }
}

const tooLate = Symbol("late")

/** Null if the result is invalid. */
function linesOf(given: unknown): readonly RenderedLine[] | null {
  const all: unknown = typeof given === "string" ? given.split("\n") : given
  if (!Array.isArray(all) || all.length === 0) return null
  const lines = all.slice(0, maxLines).map(lineOf)
  return lines.every((line) => line !== null) ? lines : null
}

function lineOf(given: unknown): RenderedLine | null {
  const spans: unknown = typeof given === "string" ? [{ text: given }] : given
  if (!Array.isArray(spans) || !spans.every((span) => isRecord(span) && typeof span["text"] === "string")) return null
  let left = maxLine
  return spans.map((span: { readonly text: string; readonly style?: unknown }): Span => {
    // Newlines are replaced, so that it stays one line.
    const text = span.text.replaceAll("\n", " ").slice(0, left)
    left -= text.length
    return { text, style: isStyle(span.style) ? span.style : "plain" }
  })
}

const styles: readonly string[] = ["plain", "name", "title", "number", "dim", "added", "removed", "error"]

function isStyle(style: unknown): style is SpanStyle {
  return typeof style === "string" && styles.includes(style)
}
