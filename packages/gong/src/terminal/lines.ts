import { printableLine } from "./sink.ts"

export interface AskOptions {
  readonly signal?: AbortSignal
  /** A line that was typed before the question is no answer to it; it waits for the next one that takes any. */
  readonly fresh?: boolean
  /** What is typed is not shown. */
  readonly secret?: boolean
}

/** Lines typed by a person. `null`: they are gone (Ctrl+D, end of input). */
export interface LineReader {
  ask(prompt: string, options?: AskOptions): Promise<string | null>
  /** Calls back on Ctrl+C. */
  onInterrupt(callback: () => void): void
  /** Takes lines again after Ctrl+D; nothing where the input itself has ended. */
  reopen(): void
  close(): void
}

/** Lines typed at a terminal, with the editing that readline gives. */
export function lineReader(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): LineReader {
  const readline = process.getBuiltinModule("node:readline")
  let hidden = false
  // The same terminal but for what it shows while a secret is typed.
  const shown = Object.create(output, {
    write: { value: (text: string) => hidden || output.write(text) },
  }) as NodeJS.WritableStream
  // Lines that come before somebody asks (a paste) wait here; nobody types more than this ahead.
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
    // A terminal whose window is closed takes no settings back and is not read to an end; closing fails likewise.
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
