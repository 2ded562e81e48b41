import { type Codec, type Encoded, strayOf } from "./codec.ts"

export type DoubleByteName = "gb18030" | "big5" | "shift_jis" | "euc-kr"

/**
 * East Asian encodings, in which a character has one, two or (gb18030) four bytes. Both directions use one table built
 * from the platform's decoder. A character with two codes is not encoded, because the right code is ambiguous.
 */
export function doubleByte(name: DoubleByteName): Codec {
  let made: Table | undefined
  const table = () => (made ??= tableOf(name))
  let strict: InstanceType<typeof TextDecoder> | undefined
  return {
    unit: 1,
    decode(bytes) {
      strict ??= new TextDecoder(name, { fatal: true, ignoreBOM: true })
      return decodeWhole(strict, bytes) ?? decodeWithStrays(table(), bytes)
    },
    byteOf: (bytes, at, text, from, to) => walk(table(), bytes, at, text, from, to),
    encode: (text) => encode(table(), text),
  }
}

interface Table {
  readonly name: DoubleByteName
  /** Characters by single byte, or by pair (first * 256 + second); "" for invalid codes. */
  readonly characters: readonly string[]
  /** Lengths of these characters in UTF-16 units; 0 for invalid codes. */
  readonly units: Uint8Array
  /** Codes by character; null for characters with two codes. */
  readonly codes: ReadonlyMap<string, number | null>
}

const FIRST_LEAD = 0x81
/**
 * Codes that decoders accept for old files but encoders do not write: the single-byte euro sign, a second wide blank.
 */
const onlyRead: Readonly<Partial<Record<DoubleByteName, readonly number[]>>> = { gb18030: [0x80, 0xa3a0] }

function tableOf(name: DoubleByteName): Table {
  const characters: string[] = Array.from({ length: 0x10000 }, () => "")
  const units = new Uint8Array(0x10000)
  const codes = new Map<string, number | null>()
  const enter = (code: number, character: string) => {
    if (character === "" || character.includes("\ufffd")) return
    characters[code] = character
    units[code] = character.length
    if (onlyRead[name]?.includes(code)) return
    codes.set(character, codes.has(character) ? null : code)
  }
  const decoder = new TextDecoder(name)
  for (let byte = 0; byte < 0x100; byte++) enter(byte, decoder.decode(Uint8Array.of(byte)))
  for (let lead = FIRST_LEAD; lead < 0xff; lead++) {
    if (characters[lead] !== "") continue
    // Decodes all pairs of one lead byte at once, separated by a character that is not a valid second byte.
    const pairs = Uint8Array.from({ length: (0x100 - 0x40) * 3 }, (_, at) =>
      at % 3 === 0 ? lead : at % 3 === 1 ? 0x40 + Math.floor(at / 3) : 0x0a,
    )
    const found = decoder.decode(pairs).split("\n")
    for (const [at, character] of found.entries()) enter(lead * 0x100 + 0x40 + at, character)
  }
  return { name, characters, units, codes }
}

function decodeWhole(strict: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

function decodeWithStrays(table: Table, bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(table, bytes, at)
    parts.push(length === 0 ? strayOf(bytes[at] ?? 0) : characterAt(table, bytes, at, length))
    at += Math.max(1, length)
  }
  return parts.join("")
}

/** Byte length of the character at `at`; 0 if none starts there. */
function lengthAt(table: Table, bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const second = bytes[at + 1] ?? 0
  if (table.units[first * 0x100 + second] !== 0 && at + 1 < bytes.length) return 2
  if (table.units[first] !== 0) return 1
  const four = table.name === "gb18030" && second >= 0x30 && second <= 0x39
  return four && fourBytes(bytes.subarray(at, at + 4)) !== null ? 4 : 0
}

function characterAt(table: Table, bytes: Uint8Array, at: number, length: number): string {
  const first = bytes[at] ?? 0
  if (length === 1) return table.characters[first] ?? ""
  if (length === 2) return table.characters[first * 0x100 + (bytes[at + 1] ?? 0)] ?? ""
  return fourBytes(bytes.subarray(at, at + 4)) ?? ""
}

/** Created on demand: it takes milliseconds, and this file is loaded at every start. */
let gb18030: InstanceType<typeof TextDecoder> | undefined

function fourBytes(bytes: Uint8Array): string | null {
  try {
    gb18030 ??= new TextDecoder("gb18030", { fatal: true, ignoreBOM: true })
    const text = gb18030.decode(bytes)
    return bytes.length === 4 && [...text].length === 1 ? text : null
  } catch {
    return null
  }
}

/** Walks text and bytes in parallel. The byte length of a character comes from the bytes, never from the character. */
function walk(table: Table, bytes: Uint8Array, at: number, text: string, from: number, to: number): number {
  let byte = at
  let place = from
  while (place < to) {
    const first = bytes[byte] ?? 0
    const length = lengthAt(table, bytes, byte)
    if (length === 0) place++
    else if (length < 4) place += table.units[length === 1 ? first : first * 0x100 + (bytes[byte + 1] ?? 0)] ?? 1
    // The length of a four-byte character in units follows from its text, without another decoder call.
    else place += (text.charCodeAt(place) & 0xfc00) === 0xd800 ? 2 : 1
    byte += Math.max(1, length)
  }
  return place === to ? byte : -1
}

function encode(table: Table, text: string): Encoded {
  const bytes: number[] = []
  for (const character of text) {
    const code = table.codes.get(character)
    const four = code === undefined && table.name === "gb18030" ? encodeFour(character) : null
    if (four !== null) bytes.push(...four)
    else if (code === undefined || code === null) return { ok: false, character, twice: code === null }
    else if (code < 0x100) bytes.push(code)
    else bytes.push(code >>> 8, code & 0xff)
  }
  return { ok: true, bytes: Uint8Array.from(bytes) }
}

/** Supplementary characters are in order from 0x90308130 on; those of the basic plane are looked up. */
function encodeFour(character: string): readonly number[] | null {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0xd800 && code <= 0xdfff) return null
  const linear = code >= 0x10000 ? code - 0x10000 + 189_000 : firstPlane().get(character)
  return linear === undefined ? null : fourOf(linear)
}

const FIRST_PLANE_FOURS = 39_420
let fours: ReadonlyMap<string, number> | undefined

function firstPlane(): ReadonlyMap<string, number> {
  if (fours !== undefined) return fours
  const bytes = new Uint8Array(FIRST_PLANE_FOURS * 5).fill(0x0a)
  for (let linear = 0; linear < FIRST_PLANE_FOURS; linear++) bytes.set(fourOf(linear), linear * 5)
  const characters = new TextDecoder("gb18030", { ignoreBOM: true }).decode(bytes).split("\n")
  fours = new Map(characters.map((character, linear) => [character, linear]))
  return fours
}

function fourOf(linear: number): readonly number[] {
  const third = Math.floor(linear / 10)
  const second = Math.floor(third / 126)
  return [0x81 + Math.floor(second / 10), 0x30 + (second % 10), 0x81 + (third % 126), 0x30 + (linear % 10)]
}
