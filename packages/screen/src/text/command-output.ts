import type { Line } from "./row.ts"

/** Reads lines of the output of a command one after the other; colours and emphasis go on in the next line. */
export interface OutputReader {
  /** `role`: of text without colours of its own. */
  line(text: string, role?: string): Line
}

/** A control sequence (ECMA-48 5.4): parameters, intermediates, the final byte. */
// oxlint-disable-next-line no-control-regex
const controlSequence = /\u001b\[([0-?]*)([ -/]*[@-~])/g

/**
 * Turns the colours and emphasis of a command (ECMA-48 8.3.117, SGR) into names for `Style.styled`. Other control sequences (CSI)
 * are removed: their parameters are numbers. Strings (OSC, DCS) are kept, and shown as symbols, since they can contain text.
 * Backgrounds and concealment are ignored, so that no text is invisible. A carriage return restarts the line, as in progress bars.
 */
export function outputReader(): OutputReader {
  let looks: ReadonlySet<string> = new Set()
  let color: string | null = null

  function spans(text: string, role: string | undefined): Line {
    const own = [...looks, ...(color === null ? [] : [`fg:${color}`])].join(" ")
    const names = own === "" ? role : own
    return text === "" ? [] : [{ text, ...(names !== undefined && { role: names }) }]
  }

  function select(parameters: string): void {
    const codes = parameters.split(/[;:]/).map(Number)
    for (let at = 0; at < codes.length; at++) {
      const code = codes[at] ?? 0
      const look = lookCodes[code]
      if (code === 0) looks = new Set()
      if (code === 0 || code === 39) color = null
      else if (look !== undefined) looks = new Set([...looks, look])
      else if (endCodes[code] !== undefined)
        looks = new Set([...looks].filter((one) => endCodes[code]?.includes(one) !== true))
      else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) color = `${code < 90 ? code - 30 : code - 82}`
      else if (code === 38 || code === 48) {
        const { value, length } = extended(codes.slice(at + 1, at + 5))
        if (code === 38) color = value ?? color
        at += length
      }
    }
  }

  return {
    line(text, role) {
      const line: { text: string; role?: string }[] = []
      let end = text.length
      while (text[end - 1] === "\r") end--
      const shown = text.slice(0, end)
      let from = 0
      for (const found of shown.matchAll(controlSequence)) {
        line.push(...spans(shown.slice(from, found.index), role))
        from = found.index + found[0].length
        if (found[2] === "m") select(found[1] ?? "")
      }
      line.push(...spans(shown.slice(from), role))
      const anew = line.findLastIndex((span) => span.text.includes("\r"))
      const kept = anew < 0 ? line : line.slice(anew)
      return kept
        .map((span) => ({ ...span, text: span.text.slice(span.text.lastIndexOf("\r") + 1) }))
        .filter((span) => span.text !== "")
    },
  }
}

const lookCodes: Readonly<Record<number, string>> = {
  1: "bold",
  2: "dim",
  3: "emphasis",
  4: "underline",
  7: "inverse",
  9: "struck",
}

const endCodes: Readonly<Record<number, readonly string[]>> = {
  22: ["bold", "dim"],
  23: ["emphasis"],
  24: ["underline"],
  27: ["inverse"],
  29: ["struck"],
}

/** `5;N`: a colour of the palette, `2;R;G;B`: a colour as `#rrggbb`. `length`: parameters that belong to it. */
function extended([kind, ...rest]: readonly number[]): { readonly value: string | null; readonly length: number } {
  if (kind === 5) return { value: `${(rest[0] ?? 0) & 255}`, length: 2 }
  if (kind !== 2) return { value: null, length: 1 }
  const channels = rest.slice(0, 3).map((value) => (value & 255).toString(16).padStart(2, "0"))
  return { value: channels.length === 3 ? `#${channels.join("")}` : null, length: 4 }
}
