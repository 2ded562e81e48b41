import assert from "node:assert/strict"
import { test } from "node:test"
import { imageHeader } from "../../src/image/header.ts"
import { jpegOrientation, turned } from "../../src/image/orientation.ts"

const u16 = (value: number, little = false) => (little ? [value & 255, value >> 8] : [value >> 8, value & 255])
const u32 = (value: number, little = false) => (little ? [...u16(value, true), 0, 0] : [0, 0, ...u16(value)])

interface Tag {
  readonly tag: number
  readonly value: number
}

function tiff(tags: readonly Tag[], little: boolean, count = tags.length): readonly number[] {
  const entry = ({ tag, value }: Tag) => [
    ...u16(tag, little),
    ...u16(3, little),
    ...u32(1, little),
    ...u16(value, little),
    0,
    0,
  ]
  const order = little ? [0x49, 0x49] : [0x4d, 0x4d]
  return [...order, ...u16(42, little), ...u32(8, little), ...u16(count, little), ...tags.flatMap(entry)]
}

const segment = (marker: number, bytes: readonly number[]) => [0xff, marker, ...u16(bytes.length + 2), ...bytes]
const exif = (bytes: readonly number[]) => segment(0xe1, [...Buffer.from("Exif\0\0"), ...bytes])
const jpeg = (...segments: readonly (readonly number[])[]) => Uint8Array.from([0xff, 0xd8, ...segments.flat()])

const turnedTo = (value: number): Tag => ({ tag: 0x0112, value })
const other: Tag = { tag: 0x0100, value: 5 }

test("the orientation is read in both byte orders, after other segments and tags", () => {
  for (const little of [true, false]) {
    for (let value = 1; value <= 8; value++)
      assert.equal(jpegOrientation(jpeg(exif(tiff([turnedTo(value)], little)))), value)
    for (const value of [0, 9, 300]) assert.equal(jpegOrientation(jpeg(exif(tiff([turnedTo(value)], little)))), 1)
    assert.equal(jpegOrientation(jpeg(segment(0xe0, [1, 2]), exif(tiff([other, turnedTo(6)], little)))), 6)
    assert.equal(jpegOrientation(jpeg(exif(tiff([other, turnedTo(6)], little, 1)))), 1)
    assert.equal(jpegOrientation(jpeg(exif(tiff([other], little, 2)))), 1)
    assert.equal(jpegOrientation(jpeg(exif(tiff([other], little)))), 1)
  }
})

test("data that is not Exif, follows the image, or is truncated, rotates nothing", () => {
  const six = exif(tiff([turnedTo(6)], true))
  assert.equal(jpegOrientation(jpeg()), 1)
  assert.equal(jpegOrientation(jpeg(segment(0xda, [0]), six)), 1)
  assert.equal(jpegOrientation(jpeg([0], six)), 1)
  assert.equal(jpegOrientation(jpeg(segment(0xe1, [...Buffer.from("Exix\0\0"), ...tiff([turnedTo(6)], true)]))), 1)
  assert.equal(jpegOrientation(jpeg(segment(0xe2, six.slice(4)))), 1)
  assert.equal(jpegOrientation(jpeg(exif([0x49, 0x49, 42, 0, 8, 0, 0]))), 1)
  const whole = jpeg(six)
  for (let length = 0; length < whole.length; length++)
    assert.ok([1, 6].includes(jpegOrientation(whole.subarray(0, length))), String(length))
})

test("each orientation is rotated upright", () => {
  // Three columns, two rows; each pixel is its number four times.
  const rgba = Uint8Array.from([1, 2, 3, 4, 5, 6].flatMap((pixel) => [pixel, pixel, pixel, pixel]))
  const upright: Readonly<Record<number, readonly [width: number, pixels: string]>> = {
    1: [3, "123456"],
    2: [3, "321654"],
    3: [3, "654321"],
    4: [3, "456123"],
    5: [2, "142536"],
    6: [2, "415263"],
    7: [2, "635241"],
    8: [2, "362514"],
    9: [3, "123456"],
  }
  for (const [orientation, [width, pixels]] of Object.entries(upright)) {
    const found = turned({ width: 3, height: 2, rgba }, Number(orientation))
    const shown = Array.from({ length: 6 }, (_, at) => found.rgba[4 * at]).join("")
    assert.deepEqual([found.width, found.height, shown], [width, 6 / width, pixels], orientation)
  }
})

const header = (bytes: readonly number[], type: string) => imageHeader(Uint8Array.from(bytes), `image/${type}`)
const text = (words: string) => [...Buffer.from(words, "latin1")]

test("a PNG has its size in its first chunk, and its end chunk anywhere after it", () => {
  const png = [...text("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13, ...text("IHDR"), ...u32(3), ...u32(2)]
  const size = { width: 3, height: 2, animated: false }
  assert.deepEqual(header(png, "png"), { ...size, complete: false })
  assert.deepEqual(header([...png, ...text("IEND")], "png"), { ...size, complete: true })
  assert.equal(header(png.slice(0, -1), "png"), null)
  assert.equal(header(png.with(12, 0), "png"), null)
  assert.equal(header(png.with(19, 0), "png"), null)
  assert.equal(header(png.with(23, 0), "png"), null)
  assert.equal(header(png, "bmp"), null)
})

test("a JPEG has its size in any kind of frame segment, and in no table", () => {
  const frame = (marker: number) => segment(marker, [8, ...u16(2), ...u16(3), 1])
  const size = { width: 3, height: 2, animated: false }
  for (let marker = 0xbf; marker <= 0xd0; marker++) {
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    assert.deepEqual(header([...jpeg(frame(marker))], "jpeg"), isFrame ? { ...size, complete: false } : null)
  }
  const padded = [...jpeg(segment(0xe0, [1]), [0xff, 0xff], frame(0xc0), [0xff, 0xd9])]
  assert.deepEqual(header(padded, "jpeg"), { ...size, complete: true })
  assert.equal(header([...jpeg([0], frame(0xc0))], "jpeg"), null)
  const shortest = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, ...u16(2), ...u16(3)]
  assert.deepEqual(header(shortest, "jpeg"), { ...size, complete: false })
  assert.equal(header(shortest.slice(0, -1), "jpeg"), null)
})

test("a GIF ends with its trailer, also before extra bytes, and is animated with a repetition block", () => {
  const gif = [...text("GIF89a"), ...u16(3, true), ...u16(2, true), 0, 0, 0]
  const size = { width: 3, height: 2 }
  assert.deepEqual(header(gif, "gif"), { ...size, animated: false, complete: false })
  assert.equal(header(gif.slice(0, -1), "gif"), null)
  assert.deepEqual(header([...gif, 0x3b], "gif"), { ...size, animated: false, complete: true })
  const behind = (count: number) =>
    header([...gif, 9, 0, 0x3b, ...Array.from({ length: count }, () => 9)], "gif")?.complete
  assert.deepEqual([behind(14), behind(15)], [true, false])
  const asking = (at: number) => header([...gif, ...text("NETSCAPE2.0".padStart(at - 2, "."))], "gif")?.animated
  assert.deepEqual([asking(4089), asking(4090)], [true, false])
})

test("each form of WebP is read, and complete if its declared size has arrived", () => {
  const webp = (kind: string, body: readonly number[], length = 22) => [
    ...text("RIFF"),
    ...u32(length, true),
    ...text("WEBP"),
    ...text(kind),
    ...u32(10, true),
    ...body,
  ]
  const lossy = webp("VP8 ", [0, 0, 0, 0, 0, 0, ...u16(3 | 0x4000, true), ...u16(2 | 0x8000, true)])
  assert.deepEqual(header(lossy, "webp"), { width: 3, height: 2, animated: false, complete: true })
  assert.equal(header(lossy.slice(0, -1), "webp"), null)
  assert.equal(header(lossy.with(4, 23), "webp")?.complete, false)
  const bits = 2 | (300 << 14)
  const lossless = webp("VP8L", [0x2f, bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, bits >>> 24, 0, 0, 0, 0, 0])
  assert.deepEqual(header(lossless, "webp"), { width: 3, height: 301, animated: false, complete: true })
  const extended = (flags: number) => webp("VP8X", [flags, 0, 0, 0, 2, 1, 0, 1, 0, 1])
  assert.deepEqual(header(extended(0), "webp"), { width: 259, height: 65_538, animated: false, complete: true })
  assert.equal(header(extended(2), "webp")?.animated, true)
  assert.equal(header(extended(1), "webp")?.animated, false)
  assert.equal(
    header(
      webp(
        "VP9 ",
        Array.from({ length: 10 }, () => 1),
      ),
      "webp",
    ),
    null,
  )
})
