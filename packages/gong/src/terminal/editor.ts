import { createInterface, type Interface } from "node:readline"
import type { Readable } from "node:stream"
import type { Clock } from "@gong/spec"
import { pasteOff, pasteOn, withoutPastes } from "./bracketed-paste.ts"

export interface EditorOptions {
  readonly clock: Clock
  /** The terminal understands control sequences, so that it can mark pastes. */
  readonly marksPastes: boolean
}

export interface EditorEvents {
  /** A line was entered; pastes in it are whole. */
  line(text: string): void
  /** Ctrl+C. */
  interrupt(): void
  escape(): void
  /** Ctrl+D on an empty line, or the end of the input. */
  end(): void
}

/** One line that is edited with the keys of readline. */
export interface Editor {
  /** The text before Enter; setting it shows nothing. */
  line: string
  /** What is drawn: all, nothing of the typed text (a secret), or nothing. */
  shows: "all" | "no text" | "nothing"
  /** Draws the prompt, and the line behind it. */
  prompt(text: string): void
  /** Accepts lines again after the end; false if the input has ended. */
  reopen(): boolean
  close(): void
}

/** Milliseconds after which Esc is a key and not the beginning of a sequence. */
const ESCAPE_MS = 50
/** Pastes of more lines are shown as one marker. */
const PASTE_LINES = 10
/** Stands for a line break in the line that readline edits. */
const lineBreak = "\u23CE"

export function createEditor(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  { clock, marksPastes }: EditorOptions,
  events: EditorEvents,
): Editor {
  const drawn = Object.create(output, {
    write: { value: (text: string) => editor.shows !== "all" || output.write(text) },
  }) as NodeJS.WritableStream
  const pastes = pastedTexts()
  const insert = (text: string): void => {
    const { line, cursor } = reader
    const shown = editor.shows === "no text" ? text.replaceAll("\n", lineBreak) : pastes.shown(text)
    edit(reader, line.slice(0, cursor) + shown + line.slice(cursor), cursor + shown.length)
    reader.prompt(true)
  }
  const keys = marksPastes ? withoutPastes(input, clock, (text) => insert(text.replace(/\n$/, ""))) : input
  let reader = open()
  function open(): Interface {
    const opened = openReadline(keys, drawn)
    if (marksPastes) output.write(pasteOn)
    opened.on("line", (line) => events.line(pastes.whole(line)))
    opened.on("SIGINT", events.interrupt)
    // A closed terminal window rejects settings and cannot be read; closing fails likewise.
    opened.once("error", () => opened.on("error", () => undefined).close())
    opened.on("close", () => {
      if (marksPastes) output.write(pasteOff)
      events.end()
    })
    return opened
  }
  const editor: Editor = {
    shows: "nothing",
    get line() {
      return reader.line
    },
    set line(text) {
      edit(reader, text, text.length)
    },
    prompt(text) {
      reader.setPrompt(text)
      reader.prompt(true)
    },
    reopen() {
      if (!keys.readable || (keys as Readable).readableEnded) return false
      reader = open()
      return true
    },
    close() {
      reader.close()
      // Another reader may follow.
      if (marksPastes) input.unpipe()
    },
  }
  keys.on("keypress", (_: string | undefined, key: { readonly name?: string } | undefined) => {
    if (key?.name === "escape") events.escape()
  })
  return editor
}

function openReadline(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Interface {
  return createInterface({ input, output, terminal: true, historySize: 200, escapeCodeTimeout: ESCAPE_MS })
}

/** Readline's types leave out that the line can be changed. */
function edit(reader: { line: string; cursor: number }, line: string, cursor: number): void {
  reader.line = line
  reader.cursor = cursor
}

/** Pasted texts as they are shown in the edited line, and back. */
function pastedTexts() {
  const byMarker = new Map<string, string>()
  return {
    shown(text: string): string {
      const lines = text.split("\n").length
      if (lines <= PASTE_LINES && !text.includes(lineBreak)) return text.replaceAll("\n", lineBreak)
      const number = byMarker.size === 0 ? "" : ` #${byMarker.size + 1}`
      const marker = `[${lines} pasted lines${number}]`
      byMarker.set(marker, text)
      return marker
    },
    /** Of an entered line. */
    whole(line: string): string {
      let text = line.replaceAll(lineBreak, "\n")
      for (const [marker, pasted] of byMarker) text = text.replace(marker, () => pasted)
      byMarker.clear()
      return text
    },
  }
}
