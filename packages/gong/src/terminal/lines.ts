import type { Clock } from "@gong/spec"
import { printableLine } from "@gong/texts/printable"
import { pasteOff, pasteOn, withoutPastes } from "./bracketed-paste.ts"

export interface QuestionOptions {
  readonly signal?: AbortSignal
  /** Ignores what was typed before the question; it stays for a question that accepts any. */
  readonly fresh?: boolean
  /** The input is not echoed. */
  readonly secret?: boolean
}

/** Lines typed by the user. `null`: end of input (Ctrl+D). */
export interface LineReader {
  /** Shows a prompt and reads one line. */
  question(prompt: string, options?: QuestionOptions): Promise<string | null>
  /** Calls back on Ctrl+C. */
  onInterrupt(callback: () => void): void
  /** Calls back with each line that was typed while no question was open. */
  onQueued(callback: (line: string) => void): void
  /** Accepts lines again after Ctrl+D; has no effect if the input has ended. */
  reopen(): void
  close(): void
}

/** Maximum number of queued lines; nobody types more ahead. */
const maxQueued = 10_000

/** Pastes of more lines are shown as one marker. */
const pasteShown = 10
/** Stands for a line break in the line that readline edits. */
const lineBreak = "\u23CE"

export interface LineReaderOptions {
  readonly clock: Clock
  /** The terminal understands control sequences, so that it can mark pastes. */
  readonly marksPastes: boolean
}

/**
 * Lines from a terminal, with the editing of readline. A paste is inserted as a whole and sends nothing. Between questions
 * nothing is echoed, so that typed text does not get into other output; the next question shows it.
 */
export function lineReader(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  { clock, marksPastes }: LineReaderOptions,
): LineReader {
  const readline = process.getBuiltinModule("node:readline")
  let hidden = false
  // Drops the echo while a secret is typed, and between questions.
  const echo = Object.create(output, {
    write: { value: (text: string) => hidden || pending === null || output.write(text) },
  }) as NodeJS.WritableStream
  // Lines that were typed before a question.
  const queued: string[] = []
  /** Pasted texts by their markers. */
  const pastes = new Map<string, string>()
  let ended = false
  let closed = false
  const interrupts: (() => void)[] = []
  const queueing: ((line: string) => void)[] = []
  let pending: ((line: string | null) => void) | null = null
  const deliver = (line: string | null): void => {
    const resolve = pending
    pending = null
    if (resolve) return resolve(line)
    if (line === null || queued.length >= maxQueued) return
    queued.push(line)
    for (const callback of queueing) callback(line)
  }
  const typed = (line: string): void => {
    let text = line.replaceAll(lineBreak, "\n")
    for (const [marker, pasted] of pastes) text = text.replace(marker, () => pasted)
    pastes.clear()
    deliver(text)
  }
  const insert = (pasted: string): void => {
    const text = pasted.replace(/\n$/, "")
    const lines = text.split("\n").length
    if ((lines <= pasteShown && !text.includes(lineBreak)) || hidden)
      return insertIn(reader, text.replaceAll("\n", lineBreak))
    const number = pastes.size === 0 ? "" : ` #${pastes.size + 1}`
    const marker = `[${lines} pasted lines${number}]`
    pastes.set(marker, text)
    insertIn(reader, marker)
  }
  const open = () => {
    const source = marksPastes ? withoutPastes(input, clock, insert) : input
    const opened = readline.createInterface({ input: source, output: echo, terminal: true, historySize: 200 })
    if (marksPastes) output.write(pasteOn)
    opened.on("line", typed)
    opened.on("SIGINT", () => interrupts.forEach((callback) => callback()))
    // A closed terminal window rejects settings and cannot be read; closing fails likewise.
    opened.on("error", () => {
      if (ended) return
      ended = true
      opened.close()
    })
    opened.on("close", () => {
      ended = true
      if (marksPastes) output.write(pasteOff)
      deliver(null)
    })
    return opened
  }
  let reader = open()
  return {
    question(prompt, { signal, fresh = false, secret = false } = {}) {
      const [line] = fresh ? [] : queued.splice(0, 1)
      if (line !== undefined) return Promise.resolve(line)
      if (ended || signal?.aborted) return Promise.resolve(null)
      return new Promise((resolve) => {
        const stop = (): void => deliver(null)
        signal?.addEventListener("abort", stop, { once: true })
        pending = (answer) => {
          signal?.removeEventListener("abort", stop)
          if (hidden) output.write("\n")
          hidden = false
          if (fresh) edit(reader, unsent, unsent.length)
          resolve(answer)
        }
        const unsent = reader.line
        if (fresh) edit(reader, "", 0)
        reader.setPrompt(printableLine(prompt))
        reader.prompt(true)
        hidden = secret
      })
    },
    onInterrupt: (callback) => void interrupts.push(callback),
    onQueued: (callback) => void queueing.push(callback),
    reopen() {
      if (!ended || closed || !input.readable) return
      ended = false
      reader = open()
    },
    close() {
      closed = true
      reader.close()
    },
  }
}

/** The line that readline edits; its types leave out that it can be changed. */
interface EditedLine {
  line: string
  cursor: number
  prompt(preserveCursor?: boolean): void
}

function edit(edited: EditedLine, line: string, cursor: number): void {
  edited.line = line
  edited.cursor = cursor
}

function insertIn(edited: EditedLine, text: string): void {
  const { line, cursor } = edited
  edit(edited, line.slice(0, cursor) + text + line.slice(cursor), cursor + text.length)
  edited.prompt(true)
}
