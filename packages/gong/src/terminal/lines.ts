import { printableLine } from "@gong/texts/printable"
import { createEditor, type EditorOptions } from "./editor.ts"

export interface QuestionOptions {
  readonly signal?: AbortSignal
  /** Ignores what was typed before the question; it stays for a question that accepts any. */
  readonly fresh?: boolean
  /** The input is not echoed. */
  readonly secret?: boolean
  /** The prompt of a conversation: Ctrl+D ends the input, Ctrl+C interrupts. Other questions are left by both, and by Esc. */
  readonly main?: boolean
}

/** Answers of the user, one line each. */
export interface QuestionReader {
  /** Shows a prompt and reads one line. `null`: the question was left, or the end of input. */
  question(prompt: string, options?: QuestionOptions): Promise<string | null>
}

/** Lines typed by the user. */
export interface LineReader extends QuestionReader {
  /** Calls back on Ctrl+C, except in a question that it leaves. */
  onInterrupt(callback: () => void): void
  /** Calls back on Esc, except in a question that it leaves. */
  onEscape(callback: () => void): void
  /** The next question that accepts any line gets this one. */
  requeue(line: string): void
  /** Calls back with each line that was typed while no question was open. */
  onQueued(callback: (line: string) => void): void
  /** Accepts lines again after Ctrl+D; has no effect if the input has ended. */
  reopen(): void
  close(): void
}

/** Maximum number of queued lines; nobody types more ahead. */
const maxQueued = 10_000

interface Question {
  resolve(line: string | null): void
  /** Ctrl+C, Esc and Ctrl+D leave it. */
  readonly leaves: boolean
}

/**
 * Lines from a terminal. A paste is inserted as a whole and sends nothing. Between questions nothing is echoed, so that typed
 * text does not get into other output; the next question shows it.
 */
export function lineReader(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  options: EditorOptions,
): LineReader {
  const queued: string[] = []
  const callbacks = { interrupt: [] as (() => void)[], escape: [] as (() => void)[], queued: [] as QueuedCallback[] }
  let ended = false
  let closed = false
  let open: Question | null = null
  const deliver = (line: string | null): void => {
    const question = open
    open = null
    editor.shows = "nothing"
    if (question) return question.resolve(line)
    if (line === null || queued.length >= maxQueued) return
    queued.push(line)
    for (const callback of callbacks.queued) callback(line)
  }
  const leaveOr = (key: "interrupt" | "escape"): void => {
    if (open?.leaves !== true) return callbacks[key].forEach((callback) => callback())
    editor.line = ""
    output.write("\n")
    deliver(null)
  }
  const editor = createEditor(input, output, options, {
    line: deliver,
    interrupt: () => leaveOr("interrupt"),
    escape: () => leaveOr("escape"),
    end() {
      // Ctrl+D leaves a question that is not the prompt of a conversation.
      ended = open?.leaves !== true || closed || !editor.reopen()
      deliver(null)
    },
  })
  return {
    question(prompt, { signal, fresh = false, secret = false, main = false } = {}) {
      const [line] = fresh ? [] : queued.splice(0, 1)
      if (line !== undefined) return Promise.resolve(line)
      if (ended || signal?.aborted) return Promise.resolve(null)
      const { promise, resolve } = Promise.withResolvers<string | null>()
      const unsent = editor.line
      const stop = (): void => deliver(null)
      signal?.addEventListener("abort", stop, { once: true })
      open = {
        // A question with a signal belongs to a run, and ends with it.
        leaves: !main && signal === undefined,
        resolve(answer) {
          signal?.removeEventListener("abort", stop)
          if (secret) output.write("\n")
          if (fresh) editor.line = unsent
          resolve(answer)
        },
      }
      if (fresh) editor.line = ""
      editor.shows = "all"
      editor.prompt(printableLine(prompt))
      if (secret) editor.shows = "no text"
      return promise
    },
    onInterrupt: (callback) => void callbacks.interrupt.push(callback),
    onEscape: (callback) => void callbacks.escape.push(callback),
    onQueued: (callback) => void callbacks.queued.push(callback),
    requeue: (line) => void queued.unshift(line),
    reopen() {
      if (ended && !closed) ended = !editor.reopen()
    },
    close() {
      closed = true
      editor.close()
    },
  }
}

type QueuedCallback = (line: string) => void
