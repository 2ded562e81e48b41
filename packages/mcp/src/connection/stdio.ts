import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from "@modelcontextprotocol/client"
import { type Clock, failure, FailureError } from "@gong/spec"
import { limits } from "../definitions/limits.ts"

/** A started server program. */
export interface ServerProcess {
  /** False: it does not read, or has ended. */
  write(text: string): boolean
  /** Closes its stdin; kills it and its descendants if it does not end by itself. */
  end(): Promise<void>
}

/** Starts the program of a server. `onEnd` is called once; its text is a sentence fragment for people. */
export type StartProgram = (receive: {
  onOutput(bytes: Uint8Array): void
  onEnd(why: string): void
}) => Promise<ServerProcess>

/** Messages as lines over stdin and stdout. The presence of `stderr` and `pid` tells the client library that this is stdio. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: JSONRPCMessage) => void) | undefined
  readonly stderr = null
  readonly pid = null
  /** Why the program has ended; null while it runs. */
  ended: string | null = null
  readonly #start: StartProgram
  #program: ServerProcess | null = null
  /** The line that is coming. */
  #begun = ""
  #decoder = new TextDecoder()

  readonly #rate: Rate

  constructor(start: StartProgram, clock: Clock) {
    this.#start = start
    this.#rate = createRate(clock, (count) =>
      this.onerror?.(new Error(`${count} messages of one second were left out`)),
    )
  }

  async start(): Promise<void> {
    this.#program = await this.#start({
      onOutput: (bytes) => this.#read(bytes),
      onEnd: (why) => this.#close(why),
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const sent = this.ended === null && this.#program?.write(serializeMessage(message)) === true
    if (sent) return Promise.resolve()
    return Promise.reject(new FailureError(failure("network", this.ended ?? "the server does not read its input")))
  }

  async close(): Promise<void> {
    const program = this.#program
    this.#program = null
    await program?.end()
    this.#close("it was ended")
  }

  #close(why: string): void {
    if (this.ended !== null) return
    this.ended = why
    this.#begun = ""
    this.onclose?.()
  }

  #read(bytes: Uint8Array): void {
    let from = 0
    for (let at = bytes.indexOf(newline); at >= 0 && this.ended === null; at = bytes.indexOf(newline, from)) {
      const line = this.#line(bytes.subarray(from, at))
      from = at + 1
      if (line !== "") this.#receive(line)
    }
    if (this.ended !== null || from === bytes.length) return
    this.#begun += this.#decoder.decode(bytes.subarray(from), { stream: true })
    if (this.#begun.length <= limits.message) return
    this.onerror?.(new Error(tooLong))
    const program = this.#program
    this.#close(tooLong)
    program?.end().catch(() => undefined)
  }

  #line(end: Uint8Array): string {
    const line = this.#begun + this.#decoder.decode(end)
    this.#begun = ""
    return line.trim()
  }

  #receive(line: string): void {
    const answers = answerForm.test(line)
    if (!this.#rate.allows(answers ? "answer" : "other")) return
    // Servers print other text to stdout too.
    const message = line.startsWith("{") ? messageIn(line) : null
    if (message === null) this.onerror?.(new Error(`not a message: ${line.slice(0, 200)}`))
    else this.onmessage?.(message)
  }
}

function messageIn(line: string): JSONRPCMessage | null {
  try {
    return deserializeMessage(line)
  } catch {
    return null
  }
}

/** An answer has one of these fields near its beginning, in the order in which all known servers write. */
const answerForm = /^.{0,100}"(?:result|error)"\s*:/s

/** Lines of one second, of each kind; more are not read, since parsing them would fill the event loop and the memory. */
const maxPerSecond = 1_000

interface Rate {
  allows(kind: "answer" | "other"): boolean
}

function createRate(clock: Clock, onDropped: (count: number) => void): Rate {
  let second = 0
  let dropped = 0
  const counts = { answer: 0, other: 0 }
  return {
    allows(kind) {
      const now = Math.floor(clock.now() / 1_000)
      if (now !== second) {
        if (dropped > 0) onDropped(dropped)
        Object.assign(counts, { answer: 0, other: 0 })
        second = now
        dropped = 0
      }
      counts[kind] += 1
      if (counts[kind] <= maxPerSecond) return true
      dropped += 1
      return false
    },
  }
}

const newline = 10
const tooLong = `it sent a message of more than ${limits.message / 1_048_576} MB`
