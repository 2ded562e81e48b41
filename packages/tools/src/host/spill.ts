import { closeSync, fstatSync, openSync, readSync, rmSync, unlinkSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Output in a file: complete up to a limit, then its head and tail. */
export interface Spill {
  readonly path: string
  add(bytes: Uint8Array): void
  /** Bytes of the tail that are written to the file only at its end. */
  waiting(): number
  /** Bytes omitted from the middle; 0 if the file is complete. */
  end(): number
  /** Ends and removes the file. */
  discard(): void
}

const SPILL_MAX_BYTES = 64 * 1024 * 1024
const COPY_BYTES = 1024 * 1024

/** An unpredictable name in the temp folder. */
export function temporarySpillPath(): string {
  return join(tmpdir(), `gong-bash-${process.getBuiltinModule("node:crypto").randomUUID()}.log`)
}

/**
 * Uses blocking writes: they are faster than the pipe refills, and they throttle the program instead of buffering its
 * output in memory.
 */
export function openSpill(path: string, maxBytes = SPILL_MAX_BYTES): Spill {
  const headMax = Math.ceil(maxBytes / 2)
  const tailMax = maxBytes - headMax
  // Always a new file: an existing file or a planted link is not written through.
  rmSync(path, { force: true })
  const file = openSync(path, "wx", 0o600)
  const ringPath = `${path}.tail`
  let ring: number | null = null
  let head = 0
  let tail = 0
  let open = true

  /** The tail is a ring buffer: its next byte goes to `tail % tailMax`. */
  const addTail = (bytes: Uint8Array) => {
    if (ring === null) {
      rmSync(ringPath, { force: true })
      ring = openSync(ringPath, "wx+", 0o600)
    }
    let rest = bytes
    while (rest.length > 0) {
      const at = tail % tailMax
      const piece = rest.subarray(0, tailMax - at)
      writeAll(ring, piece, at)
      tail += piece.length
      rest = rest.subarray(piece.length)
    }
  }

  const end = (): number => {
    const leftOut = Math.max(0, tail - tailMax)
    if (!open) return leftOut
    open = false
    if (ring !== null) {
      if (leftOut > 0) writeAll(file, Buffer.from(`\n[... ${leftOut} bytes left out ...]\n`), null)
      const cut = leftOut > 0 ? tail % tailMax : 0
      copy(ring, file, cut, Math.min(tail, tailMax))
      copy(ring, file, 0, cut)
      closeSync(ring)
      unlinkSync(ringPath)
    }
    closeSync(file)
    return leftOut
  }

  return {
    path,
    add(bytes) {
      const first = bytes.subarray(0, headMax - head)
      if (first.length > 0) writeAll(file, first, null)
      head += first.length
      if (first.length < bytes.length) addTail(bytes.subarray(first.length))
    },
    waiting: () => tail,
    end,
    discard() {
      end()
      unlinkSync(path)
    },
  }
}

function writeAll(file: number, bytes: Uint8Array, at: number | null): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, at === null ? null : at + done)
}

function copy(from: number, to: number, start: number, end: number): void {
  const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, Math.max(0, Math.min(end, fstatSync(from).size) - start)))
  for (let at = start; at < end && buffer.length > 0;) {
    const got = readSync(from, buffer, 0, Math.min(buffer.length, end - at), at)
    if (got === 0) return
    writeAll(to, buffer.subarray(0, got), null)
    at += got
  }
}
