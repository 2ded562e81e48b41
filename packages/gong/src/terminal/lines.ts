import { printableLine } from "@gong/texts/printable"

export interface AskOptions {
  readonly signal?: AbortSignal
  /** Ignores lines typed before the question; they wait for a question that accepts any. */
  readonly fresh?: boolean
  /** The input is not echoed. */
  readonly secret?: boolean
}

/** Lines typed by the user. `null`: end of input (Ctrl+D). */
export interface LineReader {
  ask(prompt: string, options?: AskOptions): Promise<string | null>
  /** Calls back on Ctrl+C. */
  onInterrupt(callback: () => void): void
  /** Accepts lines again after Ctrl+D; has no effect if the input has ended. */
  reopen(): void
  close(): void
}

/** Lines from a terminal, with the editing of readline. */
export function lineReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): LineReader {
  const readline = process.getBuiltinModule("node:readline")
  let hidden = false
  // The terminal without echo while a secret is typed.
  const shown = Object.create(output, {
    write: { value: (text: string) => hidden || output.write(text) },
  }) as NodeJS.WritableStream
  // Lines that arrive before a question, such as a paste; more is never typed ahead.
  const waiting: string[] = []
  const maxWaiting = 10_000
  let ended = false
  let closed = false
  const interrupts: (() => void)[] = []
  let taker: ((line: string | null) => void) | null = null
  const give = (line: string | null): void => {
    const take = taker
    taker = null
    if (take) take(line)
    else if (line !== null && waiting.length < maxWaiting) waiting.push(line)
  }
  const open = () => {
    const opened = readline.createInterface({ input, output: shown, terminal: true, historySize: 200 })
    opened.on("line", give)
    opened.on("SIGINT", () => interrupts.forEach((callback) => callback()))
    // A closed terminal window rejects settings and cannot be read; closing fails likewise.
    opened.on("error", () => {
      if (ended) return
      ended = true
      opened.close()
    })
    opened.on("close", () => {
      ended = true
      give(null)
    })
    return opened
  }
  let reader = open()
  return {
    ask(prompt, { signal, fresh = false, secret = false } = {}) {
      const [line] = fresh ? [] : waiting.splice(0, 1)
      if (line !== undefined) return Promise.resolve(line)
      if (ended || signal?.aborted) return Promise.resolve(null)
      reader.setPrompt(printableLine(prompt))
      reader.prompt()
      hidden = secret
      return new Promise((resolve) => {
        const stop = (): void => give(null)
        signal?.addEventListener("abort", stop, { once: true })
        taker = (answer) => {
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
