import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { imageHeader } from "../../src/image/header.ts"
import { jpegOrientation } from "../../src/image/orientation.ts"
import { animatedGif, claimedPng, maker, plain, tiny, withOrientation } from "./pictures.ts"

const types = Object.keys(tiny)
const sizeOf = (bytes: Uint8Array, type: string) => {
  const header = imageHeader(bytes, type)
  return header && [header.width, header.height]
}

test("the size of each image type", async () => {
  for (const [type, bytes] of Object.entries(tiny)) assert.deepEqual(sizeOf(bytes, type), [1, 1], type)
  const jpeg = await maker.toJpeg(plain(300, 20), 80)
  assert.deepEqual(sizeOf(jpeg, "image/jpeg"), [300, 20])
  assert.deepEqual(sizeOf(withOrientation(jpeg, 6), "image/jpeg"), [300, 20], "as stored, behind another segment")
  const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xff]), jpeg.subarray(2)])
  assert.deepEqual(sizeOf(filled, "image/jpeg"), [300, 20], "bytes that only fill")
  const table = Buffer.from([0xff, 0xc4, 0, 9, 8, 0, 1, 0, 1, 0, 0])
  const early = Buffer.concat([jpeg.subarray(0, 2), table, jpeg.subarray(2)])
  assert.deepEqual(sizeOf(early, "image/jpeg"), [300, 20], "a table looks like a frame and is none")
  assert.deepEqual(sizeOf(claimedPng(70_000, 3), "image/png"), [70_000, 3])
})

test("the three forms of WebP", () => {
  const webp = (kind: string, body: readonly number[]) => {
    const bytes = Buffer.alloc(40)
    bytes.write(`RIFF    WEBP${kind}`, "latin1")
    bytes.writeUInt32LE(32, 4)
    bytes.set(body, 20)
    return bytes
  }
  const lossy = webp("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, 0x2c, 0x41, 0xc8, 0x80])
  assert.deepEqual(sizeOf(lossy, "image/webp"), [300, 200], "the two highest bits are a scale")
  const lossless = webp("VP8L", [0x2f, 0x2b, 0xc1, 0x31, 0x00])
  assert.deepEqual(sizeOf(lossless, "image/webp"), [300, 200])
  const extended = webp("VP8X", [0x02, 0, 0, 0, 0x2b, 0x01, 0, 0xc7, 0, 0])
  assert.deepEqual(sizeOf(extended, "image/webp"), [300, 200])
  assert.equal(imageHeader(extended, "image/webp")?.animated, true)
  assert.equal(imageHeader(webp("VP8X", [0, 0, 0, 0, 1, 0, 0, 1, 0, 0]), "image/webp")?.animated, false)
  assert.equal(imageHeader(lossy, "image/webp")?.complete, true)
  assert.equal(imageHeader(lossy.subarray(0, 39), "image/webp")?.complete, false)
})

test("animations are distinguished from still images", () => {
  assert.equal(imageHeader(animatedGif, "image/gif")?.animated, true)
  assert.equal(imageHeader(tiny["image/gif"] ?? new Uint8Array(), "image/gif")?.animated, false)
})

test("truncated or modified bytes never throw, and any result is a size", async () => {
  const jpeg = withOrientation(await maker.toJpeg(plain(40, 30), 80), 6)
  const images = { ...tiny, "image/jpeg": jpeg, "image/gif": animatedGif }
  const change = fc.tuple(fc.nat(200), fc.nat(255))
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.nat(2000), fc.array(change, { maxLength: 8 }), (type, end, changes) => {
      const bytes = Buffer.from(images[type as keyof typeof images] ?? []).subarray(0, end)
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      const header = imageHeader(bytes, type)
      assert.ok(header === null || (header.width > 0 && header.height > 0))
      const orientation = jpegOrientation(bytes)
      assert.ok(orientation >= 1 && orientation <= 8)
    }),
    { numRuns: 2000 },
  )
})
