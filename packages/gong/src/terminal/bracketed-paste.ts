import { Transform } from "node:stream"
import type { Clock } from "@gong/spec"

/** Modes of a terminal that marks pasted text; xterm's control sequences, section "Bracketed Paste Mode". */
export const pasteOn = "\u001B[?2004h"
export const pasteOff = "\u001B[?2004l"

const start = Buffer.from("\u001B[200~")
const end = Buffer.from("\u001B[201~")

/** A terminal marks pastes of any length; a longer one is cut here. */
const PASTE_MAX_BYTES = 8 * 1024 * 1024
/** Milliseconds after the last byte of a paste whose end was lost. */
const PASTE_END_MS = 1_000
/** Milliseconds after which the beginning of a marker is a key, such as Esc. */
const MARKER_MS = 20

/**
 * The input of a terminal without its pastes, each of which is passed to `onPaste` as one text with `\n` line ends. Sets the
 * raw mode of the terminal for readline.
 */
export function withoutPastes(
  input: NodeJS.ReadableStream,
  clock: Clock,
  onPaste: (text: string) => void,
): NodeJS.ReadableStream {
  let left = Buffer.alloc(0)
  let pasted: Buffer[] | null = null
  let cancel = (): void => undefined
  const keys = new Transform({
    transform(piece: Buffer | string, _, done) {
      cancel()
      left = Buffer.concat([left, typeof piece === "string" ? Buffer.from(piece) : piece])
      read()
      if (left.length > 0 || pasted !== null) cancel = clock.timer(pasted === null ? MARKER_MS : PASTE_END_MS, flush)
      done()
    },
    flush(done) {
      cancel()
      flush()
      done()
    },
  })
  const read = (): void => {
    for (;;) {
      const marker = pasted === null ? start : end
      const at = left.indexOf(marker)
      if (at < 0) break
      give(left.subarray(0, at))
      left = left.subarray(at + marker.length)
      if (pasted === null) pasted = []
      else paste()
    }
    // The end of the piece may be the beginning of a marker.
    const kept = beginning(left, pasted === null ? start : end)
    give(left.subarray(0, left.length - kept))
    left = left.subarray(left.length - kept)
  }
  const give = (bytes: Buffer): void => {
    if (bytes.length === 0) return
    if (pasted === null) keys.push(bytes)
    else pasted.push(bytes)
  }
  const paste = (): void => {
    const text = Buffer.concat(pasted ?? [])
      .subarray(0, PASTE_MAX_BYTES)
      .toString()
    pasted = null
    onPaste(text.replaceAll(/\r\n?/g, "\n"))
  }
  const flush = (): void => {
    give(left)
    left = Buffer.alloc(0)
    if (pasted !== null) paste()
  }
  const terminal = input as NodeJS.ReadStream
  return Object.assign(input.pipe(keys), {
    isTTY: true,
    setRawMode: (mode: boolean) => terminal.setRawMode?.(mode),
  })
}

/** The length of the longest end of `bytes` with which `marker` begins. */
function beginning(bytes: Buffer, marker: Buffer): number {
  for (let length = Math.min(bytes.length, marker.length - 1); length > 0; length--)
    if (bytes.subarray(bytes.length - length).equals(marker.subarray(0, length))) return length
  return 0
}
