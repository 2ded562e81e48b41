import { type Entry, type Head, maxWrappedDepth, type MessageRole, parseJson } from "@gong/spec"

/** CRC-32 of UTF-8 bytes, continued from the checksum of the bytes before. A port: browsers and Node have different ones. */
export type Crc32 = (data: string | Uint8Array, before?: number) => number

/** The length of `,"crc":"xxxxxxxx"}` in bytes; fixed, so that the checksum has a fixed offset from the end of the line. */
export const checksumLength = 18

/** Longer lines are neither written nor read: one entry must fit in memory several times. */
export const maxLine = 128 * 1024 * 1024

/**
 * One entry as one UTF-8 line with its newline: id, parentId, type, timestamp, body, and last the CRC-32 of all bytes before
 * `,"crc"` as eight hex digits. The text is encoded once, and the checksum is written into the bytes.
 */
export function lineOf(entry: Entry, crc32: Crc32): Uint8Array {
  const open = JSON.stringify(inOrder(entry)).slice(0, -1)
  const line = encoder.encode(`${open},"crc":"00000000"}\n`)
  const end = line.length - 1 - checksumLength
  encoder.encodeInto(hex(crc32(line.subarray(0, end))), line.subarray(end + checksumStart.length))
  return line
}

const headKeys = ["id", "parentId", "type", "timestamp"]

/** Entries are created with their head first, so that a new order is rarely needed. */
function inOrder(entry: Entry): Entry {
  let at = 0
  for (const key in entry) {
    if (at === headKeys.length) return entry
    if (key !== headKeys[at++]) break
  }
  const { id, parentId, type, timestamp, ...body } = entry
  return { id, parentId, type, timestamp, ...body } as Entry
}

/** The entry of a line without its checksum; null when it is no entry or too deep, even with a valid checksum and head. */
export function entryOfLine(line: string): Entry | null {
  const entry = (parseJson(`${line.slice(0, -checksumLength)}}`, maxWrappedDepth) ?? null) as Entry | null
  // The last of two equal keys counts, while the head was read by its position.
  const isEntry = [entry?.id, entry?.type, entry?.timestamp].every((value) => typeof value === "string")
  return isEntry ? entry : null
}

/** Whether the bytes from `from` to `to` are one complete line with a valid checksum. */
export function hasValidChecksum(bytes: Uint8Array, from: number, to: number, crc32: Crc32): boolean {
  return validChecksum(bytes, from, to, crc32) !== null
}

/** The checksum of the bytes from `from` to `to`; null unless they are one complete line with a valid one. */
export function validChecksum(bytes: Uint8Array, from: number, to: number, crc32: Crc32): number | null {
  const end = to - checksumLength
  const written = checksumAt(bytes, end, to)
  return written !== null && end > from && written === crc32(bytes.subarray(from, end)) ? written : null
}

/** The CRC-32 of the checksum field that begins at `at`, or null when there is none. */
export function checksumAt(bytes: Uint8Array, at: number, limit: number): number | null {
  if (at < 0 || at + checksumLength > limit) return null
  for (let i = 0; i < checksumStart.length; i++) if (bytes[at + i] !== checksumStart[i]) return null
  if (bytes[at + 16] !== 0x22 || bytes[at + 17] !== 0x7d) return null
  let value = 0
  for (let i = 8; i < 16; i++) {
    const digit = hexDigit(bytes[at + i] ?? 0)
    if (digit < 0) return null
    value = value * 16 + digit
  }
  return value
}

/** The head of a line is always within this many characters of its start. */
export const headLength = 256

const headForm =
  /^\{"id":"([0-9a-z]{12})","parentId":(?:null|"([0-9a-z]{12})"),"type":"([^"\\]{1,64})","timestamp":"[^"\\]{1,32}"(?:,"message":\{"role":"(user|assistant|tool)")?/

/** The head at the start of a line; null when the line does not begin like an entry. */
export function headOfLine(start: string): Head | null {
  const match = headForm.exec(start)
  if (match === null) return null
  const [, id = "", parentId = null, type = "", role] = match
  return role === undefined ? { id, parentId, type } : { id, parentId, type, role: role as MessageRole }
}

/** The head that the line of this entry has. */
export function headOfEntry(entry: Entry): Head {
  const { id, parentId, type } = entry
  return entry.type === "message" ? { id, parentId, type, role: entry.message.role } : { id, parentId, type }
}

const encoder = new TextEncoder()
const checksumStart = encoder.encode(',"crc":"')

function hex(crc: number): string {
  return (crc >>> 0).toString(16).padStart(8, "0")
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1
}
