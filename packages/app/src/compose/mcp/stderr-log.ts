import { limits, visibleText } from "@gong/mcp"

/** The last output of a server beside its messages. */
export interface StderrLog {
  add(bytes: Uint8Array): void
  line(text: string): void
  /** The whole of it, at most 64 KB. */
  text(): string
  /** `: its last line`, or nothing. */
  last(): string
}

export function createStderrLog(): StderrLog {
  let kept = ""
  const decoder = new TextDecoder()
  const add = (text: string): void => {
    kept = (kept + text).slice(-limits.stderr)
  }
  return {
    add: (bytes) => add(decoder.decode(bytes, { stream: true })),
    line: (text) => add(`${text.slice(0, 2_000)}\n`),
    text: () => visibleText(kept),
    last() {
      const line = visibleText(kept.slice(-4_000)).trim().split("\n").at(-1)?.trim() ?? ""
      return line === "" ? "" : `: ${line.slice(0, 300)}`
    },
  }
}
