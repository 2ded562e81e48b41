import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from "@modelcontextprotocol/client"
import { failure, FailureError } from "@gong/spec"
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
  /** Pieces of the line that is coming. */
  #pieces: Uint8Array[] = []
  #length = 0

  constructor(start: StartProgram) {
    this.#start = start
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
    this.#pieces = []
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
    // The caller reuses its buffer.
    this.#pieces.push(Uint8Array.from(bytes.subarray(from)))
    this.#length += bytes.length - from
    if (this.#length <= limits.message) return
    this.onerror?.(new Error(tooLong))
    const program = this.#program
    this.#close(tooLong)
    program?.end().catch(() => undefined)
  }

  #line(end: Uint8Array): string {
    const pieces = [...this.#pieces, end]
    const bytes = pieces.length === 1 ? end : concat(pieces, this.#length + end.length)
    this.#pieces = []
    this.#length = 0
    return new TextDecoder().decode(bytes).trim()
  }

  #receive(line: string): void {
    let message: JSONRPCMessage
    try {
      message = deserializeMessage(line)
    } catch {
      // Servers print other text to stdout too.
      this.onerror?.(new Error(`not a message: ${line.slice(0, 200)}`))
      return
    }
    this.onmessage?.(message)
  }
}

const newline = 10
const tooLong = `it sent a message of more than ${limits.message / 1_048_576} MB`

function concat(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
