import { printableLine } from "@gong/texts/printable"

export interface QuestionOptions {
  readonly signal?: AbortSignal
  /** Ignores lines typed before the question; they stay queued for a question that accepts any. */
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
  /** Accepts lines again after Ctrl+D; has no effect if the input has ended. */
  reopen(): void
  close(): void
}

/** Maximum number of queued lines; nobody types more ahead. */
const maxQueued = 10_000

/** Lines from a terminal, with the editing of readline. */
export function lineReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): LineReader {
  const readline = process.getBuiltinModule("node:readline")
  let hidden = false
  // Drops the echo while a secret is typed.
  const echo = Object.create(output, {
    write: { value: (text: string) => hidden || output.write(text) },
  }) as NodeJS.WritableStream
  // Lines that arrive before a question, such as a paste.
  const queued: string[] = []
  let ended = false
  let closed = false
  const interrupts: (() => void)[] = []
  let pending: ((line: string | null) => void) | null = null
  const deliver = (line: string | null): void => {
    const resolve = pending
    pending = null
    if (resolve) resolve(line)
    else if (line !== null && queued.length < maxQueued) queued.push(line)
  }
  const open = () => {
    const opened = readline.createInterface({ input, output: echo, terminal: true, historySize: 200 })
    opened.on("line", deliver)
    opened.on("SIGINT", () => interrupts.forEach((callback) => callback()))
    // A closed terminal window rejects settings and cannot be read; closing fails likewise.
    opened.on("error", () => {
      if (ended) return
      ended = true
      opened.close()
    })
    opened.on("close", () => {
      ended = true
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
      reader.setPrompt(printableLine(prompt))
      reader.prompt()
      hidden = secret
      return new Promise((resolve) => {
        const stop = (): void => deliver(null)
        signal?.addEventListener("abort", stop, { once: true })
        pending = (answer) => {
          signal?.removeEventListener("abort", stop)
          if (hidden) output.write("\n")
          hidden = false
          resolve(answer)
        }
      })
    },
    onInterrupt: (callback) => void interrupts.push(callback),
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
