import assert from "node:assert/strict"
import { test } from "node:test"
import { crc32, inflateSync } from "node:zlib"
import { pngOfBmp } from "../../src/commands/bmp.ts"

interface Bitmap {
  readonly bits?: number
  readonly width?: number
  /** Negative: the first row is stored first. */
  readonly height?: number
  readonly compression?: number
  readonly masks?: readonly number[]
  /** Where the pixels begin. */
  readonly start?: number
  readonly type?: string
}

/** A bitmap whose bytes of pixels count from 1 on. */
function bitmap({
  bits = 24,
  width = 2,
  height = 2,
  compression = 0,
  masks = [],
  start,
  type = "BM",
}: Bitmap = {}): Buffer {
  const at = start ?? 54 + masks.length * 4
  const stride = Math.ceil((Math.abs(width) * bits) / 32) * 4
  const bytes = Buffer.alloc(at + stride * Math.abs(height))
  bytes.write(type, 0, "latin1")
  bytes.writeUInt32LE(at, 10)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(bits, 28)
  bytes.writeUInt32LE(compression, 30)
  for (const [index, mask] of masks.entries()) bytes.writeUInt32LE(mask, 54 + index * 4)
  for (let index = 0; at + index < bytes.length; index++) bytes[at + index] = index + 1
  return bytes
}

/** The chunks of a PNG by their types, each with a correct checksum. */
function chunksOf(png: Buffer | null): Readonly<Record<string, Buffer>> {
  assert.ok(png)
  assert.equal(png.toString("hex", 0, 8), "89504e470d0a1a0a")
  const chunks: Record<string, Buffer> = {}
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(body))
    chunks[body.toString("latin1", 0, 4)] = body.subarray(4)
    at += 12 + length
  }
  return chunks
}

/** The rows of pixels in hexadecimal, each behind its filter. */
function pixelsOf(bytes: Buffer): string {
  const { IHDR, IDAT } = chunksOf(pngOfBmp(bytes))
  assert.ok(IHDR && IDAT)
  const rows = inflateSync(IDAT)
  const size = 1 + IHDR.readUInt32BE(0) * 3
  return Array.from({ length: IHDR.readUInt32BE(4) }, (_, y) => rows.toString("hex", y * size, (y + 1) * size)).join(
    " ",
  )
}

test("the chunks of the PNG are a header of 8 bits of red, green and blue, the pixels, and the end", () => {
  const chunks = chunksOf(pngOfBmp(bitmap({ width: 3, height: 1 })))
  assert.deepEqual(Object.keys(chunks), ["IHDR", "IDAT", "IEND"])
  assert.equal(chunks["IHDR"]?.toString("hex"), "00000003000000010802000000")
  assert.equal(chunks["IEND"]?.length, 0)
})

test("rows are stored from the last to the first, or the other way with a negative height, and end at four bytes", () => {
  assert.equal(pixelsOf(bitmap()), "000b0a090e0d0c 00030201060504")
  assert.equal(pixelsOf(bitmap({ height: -2 })), "00030201060504 000b0a090e0d0c")
  assert.equal(pixelsOf(bitmap({ width: 1, height: 3 })), "000b0a09 00070605 00030201")
  assert.equal(pixelsOf(bitmap({ width: 4, height: 1 })), "000302010605040908070c0b0a")
})

test("of 32 bits the fourth byte is left out; masks have to be those of blue, green and red", () => {
  assert.equal(pixelsOf(bitmap({ bits: 32, height: 1 })), "00030201070605")
  const usual = [0xff0000, 0xff00, 0xff]
  assert.equal(pixelsOf(bitmap({ bits: 32, height: 1, compression: 3, masks: usual })), "00030201070605")
  for (const masks of [
    [0xff, 0xff00, 0xff0000],
    [0xff0000, 0xff00, 0xfe],
  ])
    assert.equal(pngOfBmp(bitmap({ bits: 32, compression: 3, masks })), null)
  assert.equal(pngOfBmp(bitmap({ bits: 24, compression: 3, masks: usual })), null)
})

test("the pixels may begin behind further headers", () => {
  assert.equal(pixelsOf(bitmap({ height: 1, start: 70 })), "00030201060504")
})

test("what is no such bitmap, is not complete, or is too large is none", () => {
  for (const given of [
    { type: "MB" },
    { bits: 16 },
    { bits: 8 },
    { compression: 1 },
    { bits: 32, compression: 1 },
    { width: 0 },
    { width: -2 },
    { height: 0 },
  ])
    assert.equal(pngOfBmp(bitmap(given)), null, JSON.stringify(given))
  const bytes = bitmap()
  assert.equal(pngOfBmp(bytes.subarray(0, bytes.length - 1)), null)
  assert.notEqual(pngOfBmp(bytes), null)
  assert.equal(pngOfBmp(bytes.subarray(0, 53)), null)
  assert.equal(pngOfBmp(Buffer.alloc(0)), null)
  const huge = bitmap({ height: 1 })
  huge.writeInt32LE(50_000_001, 18)
  assert.equal(pngOfBmp(huge), null)
})
