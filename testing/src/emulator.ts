import { createRequire } from "node:module"
import type { Terminal as Headless } from "@xterm/headless"

/** Both packages are CommonJS. */
const require = createRequire(import.meta.url)
const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless")
const { UnicodeGraphemesAddon } =
  require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes")

export interface EmulatorRow {
  /** Without blanks at its end. */
  readonly text: string
  /** It continues the row before, which the terminal has broken. */
  readonly continues: boolean
}

/** A terminal without a window: xterm's parser and screen, with grapheme clusters. */
export interface Emulator {
  readonly terminal: Headless
  /** Resolves when the bytes are processed. */
  write(bytes: string): Promise<void>
  resize(columns: number, rows: number): void
  /** All rows, the scrollback first, without empty ones at the end. */
  rows(): readonly EmulatorRow[]
  /** Logical lines: rows joined where the terminal has broken them. */
  lines(): readonly string[]
  /** The cursor, counted from the first row of the scrollback. */
  cursor(): { readonly row: number; readonly column: number }
  /** What it has answered to queries. */
  readonly replies: readonly string[]
}

export function openEmulator(columns: number, rows: number): Emulator {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 100_000 })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  terminal.unicode.activeVersion = "15-graphemes"
  const replies: string[] = []
  terminal.onData((data) => void replies.push(data))
  const readRows = (): readonly EmulatorRow[] => {
    const { active } = terminal.buffer
    const found = Array.from({ length: active.length }, (_, at) => {
      const line = active.getLine(at)
      return { text: line?.translateToString(true) ?? "", continues: line?.isWrapped ?? false }
    })
    return found.slice(0, found.findLastIndex(({ text }) => text !== "") + 1)
  }
  return {
    terminal,
    replies,
    write: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    resize: (wide, high) => terminal.resize(wide, high),
    rows: readRows,
    lines() {
      const lines: string[] = []
      for (const { text, continues } of readRows())
        if (continues && lines.length > 0) lines.push(`${lines.pop()}${text}`)
        else lines.push(text)
      return lines
    },
    cursor: () => ({
      row: terminal.buffer.active.baseY + terminal.buffer.active.cursorY,
      column: terminal.buffer.active.cursorX,
    }),
  }
}
