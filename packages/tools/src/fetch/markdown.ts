import { streamHtmlToMarkdown } from "@mdream/js"
import type { Clock } from "@gong/spec"

/** Characters converted at once; between pieces the event loop runs other work. */
const pieceChars = 64 * 1024

/** Elements that carry no text for a model. */
const leftOut = ["svg", "template", "iframe"]

/** Converts a page to Markdown with absolute links. Rejects if the signal aborts. */
export async function markdownOf(html: string, address: string, clock: Clock, signal: AbortSignal): Promise<string> {
  const options = { plugins: { filter: { exclude: leftOut } }, hooks: [{ processAttributes: wholeAddresses(address) }] }
  let out = ""
  for await (const piece of streamHtmlToMarkdown(pieces(html, clock, signal), options)) out += piece
  return out.trim()
}

function pieces(html: string, clock: Clock, signal: AbortSignal): ReadableStream<string> {
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      await clock.sleep(0, signal)
      const piece = html.slice(at, at + pieceChars)
      at += piece.length
      if (piece !== "") controller.enqueue(piece)
      if (at >= html.length) controller.close()
    },
  })
}

interface Element {
  readonly name: string
  readonly attributes: Record<string, string>
}

function wholeAddresses(address: string): (element: Element) => void {
  let base = address
  return ({ name, attributes }) => {
    for (const key of ["href", "src"]) {
      const written = attributes[key]?.trim()
      if (written === undefined || written.startsWith("#")) continue
      const whole = URL.canParse(written, base) ? new URL(written, base) : null
      const shown = whole !== null && /^(?:https?|mailto):$/.test(whole.protocol) ? whole.href : ""
      attributes[key] = shown
      if (name === "base" && key === "href" && shown !== "") base = shown
    }
  }
}
