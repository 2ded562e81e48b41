import { phrase, type Text, type Clock } from "@gong/spec"
import { ok, usage, type Outcome } from "@gong/config/usage"

/** Terminals and devices are not read; a pipe (a socket in Node) may never end. */
export type StdinKind = "terminal" | "file" | "pipe" | "none"

export function stdinKind(
  stat: { isFile(): boolean; isFIFO(): boolean; isSocket(): boolean },
  isTerminal: boolean,
): StdinKind {
  if (isTerminal) return "terminal"
  if (stat.isFile()) return "file"
  return stat.isFIFO() || stat.isSocket() ? "pipe" : "none"
}

export interface StdinQuery {
  readonly kind: StdinKind
  /** Opened on the first read. */
  open(): AsyncIterable<Uint8Array>
  /** A message was given on the command line, so stdin is optional. */
  readonly hasMessage: boolean
  readonly clock: Clock
}

export interface Stdin {
  /** At most 64 MB; null if nothing was read. */
  readonly bytes: Uint8Array | null
  /** More bytes were discarded. */
  readonly cut: boolean
  /** Complete lines for the user. */
  readonly notes: readonly Text[]
}

const nothing: Stdin = { bytes: null, cut: false, notes: [] }
const maxBytes = 64 * 1024 * 1024
const maxWaitMs = 3000

/** Reads stdin according to interface part 1. With a message, a pipe without data for 3 s is ignored. */
export async function readStdin(query: StdinQuery): Promise<Stdin> {
  if (query.kind === "terminal" || query.kind === "none") return nothing
  const chunks = query.open()[Symbol.asyncIterator]()
  const first = chunks.next()
  if (query.kind === "pipe" && query.hasMessage && !(await inTime(first, query.clock))) {
    // The pending read ends with the stream.
    first.catch(() => undefined)
    return { ...nothing, notes: [phrase`gong: nothing on stdin for 3 s; going on without it (use </dev/null)`] }
  }
  return collect(first, chunks)
}

async function inTime(first: Promise<unknown>, clock: Clock): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const cancel = clock.timer(maxWaitMs, () => resolve(false))
    first.then(() => resolve(true), reject).finally(cancel)
  })
}

async function collect(first: Promise<IteratorResult<Uint8Array>>, chunks: AsyncIterator<Uint8Array>): Promise<Stdin> {
  const parts: Uint8Array[] = []
  let size = 0
  for (let step = await first; step.done !== true; step = await chunks.next()) {
    const room = maxBytes - size
    parts.push(step.value.subarray(0, room))
    size += Math.min(step.value.length, room)
    if (step.value.length > room) {
      await chunks.return?.()
      return {
        bytes: join(parts, size),
        cut: true,
        notes: [phrase`gong: stdin is longer than 64 MB; the rest is left out`],
      }
    }
  }
  return { bytes: join(parts, size), cut: false, notes: [] }
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Characters of stdin for the model; the rest is available in a file. */
const modelBytes = 51_200

/**
 * The prompt from the message (words joined by spaces, null for none or `-`) and stdin. `spill` stores a text that is too long
 * for the model and returns its location; it is called only then.
 */
export async function promptOf(
  message: string | null,
  stdin: Stdin,
  spill: (bytes: Uint8Array) => Promise<string>,
): Promise<Outcome<string>> {
  const bytes = stdin.bytes ?? new Uint8Array()
  const long = bytes.length > modelBytes
  const text = new TextDecoder().decode(long ? bytes.subarray(0, wholeCharacters(bytes)) : bytes)
  if (text.trim() === "") {
    return message === null || message.trim() === ""
      ? usage(phrase`no prompt. Try: gong -p "what does this repository do?"`)
      : ok(message)
  }
  const rest = long
    ? `\n[${bytes.length} bytes in all; the first ${modelBytes} are shown. The whole text: ${await spill(bytes)}]`
    : ""
  if (message === null) return ok(text.replace(/\n+$/, "") + rest)
  return ok(`${message}\n\n<stdin>\n${text.replace(/\n$/, "")}\n</stdin>${rest}`)
}

/** The cut position at a UTF-8 character boundary. */
function wholeCharacters(bytes: Uint8Array): number {
  let end = modelBytes
  while (end > modelBytes - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return end
}
