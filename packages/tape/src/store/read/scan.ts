import type { Damage, Head } from "@gong/spec"
import { type Crc32, headLength, headOfLine, hasValidChecksum, maxLine } from "../../line.ts"
import type { Disk } from "../disk/disk.ts"
import { salvage } from "./salvage.ts"

/** A valid line: where it stands, and the CRC-32 that tells a doubled line from two lines with one id. */
export interface Record {
  readonly head: Head
  readonly file: string
  readonly offset: number
  /** Bytes, without the newline. */
  readonly length: number
  /** The seal as written. */
  readonly checksum: string
}

export interface Scan {
  readonly records: readonly Record[]
  readonly damage: readonly Damage[]
  readonly size: number
  /** The file ends with a whole line: the next one may follow at once. */
  readonly clean: boolean
}

const window = 1024 * 1024

/** Reads the heads of all lines of one file and checks every seal; no body is parsed. Memory: one window, or the longest line. */
export function scanFile(disk: Disk, path: string, crc32: Crc32): Scan {
  const records: Record[] = []
  const damage: Damage[] = []
  const { size, clean } = scanOn(disk, { path, start: 0, crc32 }, (record) => records.push(record), damage)
  return { records, damage, size, clean }
}

export interface ScanFrom {
  readonly path: string
  /** Byte at which a line begins, or the newline before one. */
  readonly start: number
  readonly crc32: Crc32
}

/** A valid line, and where its bytes are for as long as this is called. Not settled: in a last line that may still be going on. */
export type OnRecord = (record: Record, bytes: Buffer, from: number, settled: boolean) => void

export interface ScannedTo {
  readonly size: number
  readonly clean: boolean
  /** Behind the last line that is settled, without its newline: a torn one may still be going on. Here a later scan starts. */
  readonly end: number
}

/** The same from some place on, each valid line as it is found. */
export function scanOn(disk: Disk, { path, start, crc32 }: ScanFrom, onRecord: OnRecord, damage: Damage[]): ScannedTo {
  let clean = true
  let end = start
  const size = eachLine(disk, path, start, (bytes, from, to, offset, whole) => {
    clean = whole
    if (whole) end = offset + to - from
    if (from === to) return
    const record = recordAt(bytes, from, to, path, offset, crc32)
    if (record !== null) {
      end = offset + to - from
      return onRecord(record, bytes, from, true)
    }
    const saved = salvage(bytes, from, to, crc32)
    for (const part of saved) {
      const found = recordAt(bytes, part.from, part.to, path, offset + part.from - from, crc32)
      if (found !== null) onRecord(found, bytes, part.from, whole)
    }
    damage.push({
      file: path,
      offset,
      kind: whole ? "damaged" : "torn",
      reason: reasonOf(bytes, from, to, whole, saved.length),
    })
  })
  return { size, clean, end }
}

function recordAt(bytes: Buffer, from: number, to: number, file: string, offset: number, crc32: Crc32): Record | null {
  const head = headOfLine(bytes.toString("latin1", from, Math.min(to, from + headLength)))
  if (head === null || !hasValidChecksum(bytes, from, to, crc32)) return null
  return { head, file, offset, length: to - from, checksum: bytes.toString("latin1", to - 10, to - 2) }
}

function reasonOf(bytes: Buffer, from: number, to: number, whole: boolean, saved: number): string {
  const rest = saved === 0 ? "" : `; ${saved} whole ${saved === 1 ? "entry" : "entries"} found in it`
  if (!whole) return `last line is torn${rest}`
  if (bytes.subarray(from, to).includes(0)) return `line holds NUL bytes${rest}`
  return `line does not match its check sum${rest}`
}

type OnLine = (bytes: Buffer, from: number, to: number, offset: number, whole: boolean) => void

/**
 * Calls back for every line between newlines (0x0A), the last with `whole: false` when it has none, and for a line of
 * `longest` bytes once, with its start. Gives the file's size.
 */
export function eachLine(disk: Disk, path: string, start: number, onLine: OnLine, longest = maxLine): number {
  const file = disk.open(path, "read")
  try {
    let bytes = Buffer.allocUnsafe(Math.min(window, Math.max(disk.fstat(file).size - start, 0) + 1))
    let length = 0
    let offset = start
    let overlong = false
    for (;;) {
      const count = disk.read(file, bytes.subarray(length), offset + length)
      if (count === 0) break
      const searched = length
      length += count
      let from = 0
      let newline = bytes.subarray(0, length).indexOf(0x0a, searched)
      for (; newline !== -1; newline = bytes.subarray(0, length).indexOf(0x0a, from)) {
        if (!overlong) onLine(bytes, from, newline, offset + from, true)
        overlong = false
        from = newline + 1
      }
      if (from === 0 && length >= longest) {
        // Only its start is looked at; what follows up to the next newline belongs to the same damage.
        if (!overlong) onLine(bytes, 0, length, offset, true)
        overlong = true
        from = length
      }
      bytes.copyWithin(0, from, length)
      length -= from
      offset += from
      if (length === bytes.length) bytes = doubled(bytes)
    }
    if (length > 0 || overlong) onLine(bytes, 0, length, offset, false)
    return offset + length
  } finally {
    disk.close(file)
  }
}

function doubled(bytes: Buffer): Buffer<ArrayBuffer> {
  const bigger = Buffer.allocUnsafe(bytes.length * 2)
  bytes.copy(bigger)
  return bigger
}
