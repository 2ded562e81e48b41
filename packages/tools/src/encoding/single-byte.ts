import type { Codec, Encoded } from "./codec.ts"

/** Every byte is one character, so text offsets equal byte offsets. */
export function singleByte(label: string): Codec {
  let table: Table | undefined
  let decoder: InstanceType<typeof TextDecoder> | undefined
  return {
    unit: 1,
    decode(bytes) {
      decoder ??= new TextDecoder(label)
      return decoder.decode(bytes)
    },
    byteOf: (_bytes, at, _text, from, to) => at + to - from,
    encode(text) {
      table ??= tableOf(label)
      return encode(table, text)
    },
  }
}

type Table = ReadonlyMap<string, number>

function tableOf(label: string): Table {
  const characters = new TextDecoder(label).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  return new Map(Array.from(characters, (character, byte) => [character, byte]))
}

function encode(table: Table, text: string): Encoded {
  const bytes: number[] = []
  for (const character of text) {
    const byte = table.get(character)
    if (byte === undefined) return { ok: false, character, twice: false }
    bytes.push(byte)
  }
  return { ok: true, bytes: Uint8Array.from(bytes) }
}
