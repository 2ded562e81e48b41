import assert from "node:assert/strict"
import { test } from "node:test"
import { imageHeader } from "../../src/image/header.ts"
import { jpegOrientation, turned } from "../../src/image/orientation.ts"

const header = (bytes: readonly number[] | Buffer, type: string) => imageHeader(Buffer.from(bytes), `image/${type}`)
const text = (value: string) => Buffer.from(value, "latin1")

test("a PNG has its size behind IHDR, and is complete with IEND", () => {
  const png = Buffer.concat([
    text("12345678"),
    Buffer.from([0, 0, 0, 13]),
    text("IHDR"),
    Buffer.from([0, 0, 1, 2, 0, 1, 0, 3]),
  ])
  assert.equal(png.length, 24)
  assert.deepEqual(header(png, "png"), { width: 258, height: 65_539, animated: false, complete: false })
  assert.equal(header(Buffer.concat([png, text("IEND")]), "png")?.complete, true)
  assert.equal(header(png.subarray(0, 23), "png"), null)
  const other = Buffer.from(png)
  other.write("IHDX", 12, "latin1")
  assert.equal(header(other, "png"), null)
  other.write("IHDR", 12, "latin1")
  other.writeUInt32BE(0, 16)
  assert.equal(header(other, "png"), null, "no width")
  other.writeUInt32BE(1, 16)
  other.writeUInt32BE(0, 20)
  assert.equal(header(other, "png"), null, "no height")
  assert.equal(header(png, "tiff"), null)
})

test("a JPEG has its size in the first frame", () => {
  const frame = (marker: number) => [0xff, marker, 0, 11, 8, 1, 2, 3, 4]
  const start = [0xff, 0xd8]
  for (let marker = 0xbf; marker <= 0xd0; marker++) {
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    const found = header([...start, ...frame(marker)], "jpeg")
    assert.deepEqual(found && [found.width, found.height, found.complete], isFrame ? [772, 258, false] : null)
  }
  assert.equal(header([...start, ...frame(0xc0), 0xff, 0xd9], "jpeg")?.complete, true)
  assert.equal(header([...start, ...frame(0xc0).slice(0, 8)], "jpeg"), null)
  assert.equal(header([...start, 0xff, 0xe0, 0, 3, 9, ...frame(0xc2)], "jpeg")?.width, 772)
  assert.equal(header([...start, 0xff, 0xff, 0xff, ...frame(0xc2)], "jpeg")?.width, 772)
  assert.equal(header([...start, 0, ...frame(0xc2)], "jpeg"), null)
  assert.equal(header([0xff, 0xd9, ...frame(0xc0)], "jpeg")?.complete, false, "an end before the frame")
})

test("a GIF has its size at byte 6, and ends with a semicolon", () => {
  const gif = (end: string, middle = "") =>
    Buffer.concat([text("GIF89a"), Buffer.from([2, 1, 4, 3, 0, 0, 0]), text(middle), text(end)])
  assert.deepEqual(header(gif(";"), "gif"), { width: 258, height: 772, animated: false, complete: true })
  assert.equal(header(gif(""), "gif")?.complete, false)
  assert.equal(header(gif("").subarray(0, 12), "gif"), null)
  assert.equal(header(gif(`\0;${"x".repeat(14)}`), "gif")?.complete, true)
  assert.equal(header(gif(`\0;${"x".repeat(15)}`), "gif")?.complete, false)
  const block = "NETSCAPE2.0"
  const at = (end: number) => gif(";", `${"x".repeat(end - 13 - block.length)}${block}`)
  assert.deepEqual([header(at(4_100), "gif")?.animated, header(at(4_101), "gif")?.animated], [true, false])
})

test("a WebP is complete if it has the size that it says", () => {
  const webp = (kind: string, size: number, length = 30) => {
    const bytes = Buffer.alloc(length)
    bytes.write(`RIFF____WEBP${kind}`, "latin1")
    bytes.writeUInt32LE(size, 4)
    bytes.writeUInt16LE(0xc005, 26)
    bytes.writeUInt16LE(0x4006, 28)
    return bytes
  }
  assert.deepEqual(header(webp("VP8 ", 22), "webp"), { width: 5, height: 6, animated: false, complete: true })
  assert.equal(header(webp("VP8 ", 23), "webp")?.complete, false)
  assert.equal(header(webp("VP8 ", 22).subarray(0, 29), "webp"), null)
  assert.equal(header(webp("VP9 ", 22), "webp"), null)
  const lossless = webp("VP8L", 22)
  lossless.writeUInt32LE(((0x3fff << 14) | 0x3fff) >>> 0, 21)
  assert.deepEqual([header(lossless, "webp")?.width, header(lossless, "webp")?.height], [16_384, 16_384])
  const extended = webp("VP8X", 22)
  extended[20] = 0x02
  extended.writeUIntLE(0xffffff, 24, 3)
  extended.writeUIntLE(1, 27, 3)
  assert.deepEqual(header(extended, "webp"), { width: 16_777_216, height: 2, animated: true, complete: true })
  extended[20] = 0x3d
  assert.equal(header(extended, "webp")?.animated, false)
})

/** A JPEG with an Exif segment of this TIFF. */
const exif = (tiff: Buffer, name = "Exif\0\0", marker = 0xe1) => {
  const segment = Buffer.concat([text(name), tiff])
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, marker, 0, segment.length + 2]), segment])
}

/** A TIFF with these tags, in this byte order. */
function tiff(order: "II" | "MM", ...tags: readonly (readonly [tag: number, value: number])[]) {
  const bytes = Buffer.alloc(10 + tags.length * 12)
  const short = (value: number, at: number) =>
    void (order === "II" ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at))
  bytes.write(order, "latin1")
  if (order === "II") bytes.writeUInt32LE(8, 4)
  else bytes.writeUInt32BE(8, 4)
  short(tags.length, 8)
  for (const [at, [tag, value]] of tags.entries()) {
    short(tag, 10 + at * 12)
    short(value, 10 + at * 12 + 8)
  }
  return bytes
}

test("the orientation of a JPEG is that of the tag in its Exif segment, in both byte orders", () => {
  for (const order of ["II", "MM"] as const) {
    for (let value = 0; value <= 9; value++)
      assert.equal(jpegOrientation(exif(tiff(order, [0x0112, value]))), value >= 1 && value <= 8 ? value : 1)
    assert.equal(jpegOrientation(exif(tiff(order, [0x0100, 3], [0x0112, 6], [0x0112, 8]))), 6)
    assert.equal(jpegOrientation(exif(tiff(order, [0x0100, 3]))), 1)
    assert.equal(jpegOrientation(exif(tiff(order, [0x0112, 6]).subarray(0, 18))), 1, "a cut tag")
  }
  assert.equal(jpegOrientation(exif(tiff("II", [0x0112, 6]), "Exif\0x")), 1)
  assert.equal(jpegOrientation(exif(tiff("II", [0x0112, 6]), "Exif\0\0", 0xe2)), 1)
  assert.equal(jpegOrientation(exif(text("II12345"))), 1)
})

test("the Exif segment is found behind others, and not behind the beginning of the image data", () => {
  const own = exif(tiff("MM", [0x0112, 3])).subarray(2)
  const behind = (...bytes: readonly number[]) => Buffer.concat([Buffer.from([0xff, 0xd8, ...bytes]), own])
  assert.equal(jpegOrientation(behind(0xff, 0xe0, 0, 4, 1, 2)), 3)
  assert.equal(jpegOrientation(behind(0xff, 0xda, 0, 4, 1, 2)), 1)
  assert.equal(jpegOrientation(behind(0, 0xe0, 0, 4, 1, 2)), 1)
  assert.equal(jpegOrientation(Buffer.from([0xff, 0xd8])), 1)
})

test("pixels are turned upright in each orientation", () => {
  // Two columns, three rows: 1 2 / 3 4 / 5 6.
  const rgba = new Uint8Array(Uint32Array.of(1, 2, 3, 4, 5, 6).buffer)
  const rows = (orientation: number) => {
    const { width, height, rgba: bytes } = turned({ width: 2, height: 3, rgba }, orientation)
    return [width, height, [...new Uint32Array(bytes.slice().buffer)].join("")]
  }
  assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map(rows), [
    [2, 3, "123456"],
    [2, 3, "214365"],
    [2, 3, "654321"],
    [2, 3, "563412"],
    [3, 2, "135246"],
    [3, 2, "531642"],
    [3, 2, "642531"],
    [3, 2, "246135"],
    [2, 3, "123456"],
  ])
})
