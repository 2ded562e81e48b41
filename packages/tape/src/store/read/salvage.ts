import { type Crc32, headLength, headOfLine, checksumAt, checksumLength } from "../../line.ts"

export interface Part {
  readonly from: number
  readonly to: number
}

/**
 * Finds complete entries inside a damaged line: after a block of NUL bytes, after the torn start of another line, or several
 * without newlines between them. Hashes at most a fixed multiple of the line, so that no file can make opening hang.
 */
export function salvage(bytes: Buffer, from: number, to: number, crc32: Crc32): readonly Part[] {
  const found: Part[] = []
  let budget = 8 * (to - from) + 65_536
  let start = nextHead(bytes, from, to)
  while (start !== -1 && budget > 0) {
    const end = wholeEntry(bytes, start, Math.min(to, start + budget), crc32)
    if (end !== -1) found.push({ from: start, to: end })
    budget -= end === -1 ? Math.min(to - start, budget) : end - start
    start = nextHead(bytes, end === -1 ? start + 1 : end, to)
  }
  return found
}

/** The end of the entry that begins at `start`, or -1. A checksum field inside a body is skipped: it does not match. */
function wholeEntry(bytes: Buffer, start: number, to: number, crc32: Crc32): number {
  let crc = 0
  let hashed = start
  for (let at = nextChecksum(bytes, start, to); at !== -1; at = nextChecksum(bytes, at + 1, to)) {
    crc = crc32(bytes.subarray(hashed, at), crc)
    hashed = at
    if (checksumAt(bytes, at, to) === crc) return at + checksumLength
  }
  return -1
}

function nextChecksum(bytes: Buffer, from: number, to: number): number {
  const at = bytes.indexOf(',"crc":"', from, "latin1")
  return at === -1 || at + checksumLength > to ? -1 : at
}

function nextHead(bytes: Buffer, from: number, to: number): number {
  let at = bytes.indexOf('{"id":"', from, "latin1")
  while (at !== -1 && at < to) {
    if (headOfLine(bytes.toString("latin1", at, Math.min(to, at + headLength))) !== null) return at
    at = bytes.indexOf('{"id":"', at + 1, "latin1")
  }
  return -1
}
