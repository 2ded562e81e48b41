import type { Pixels } from "./codec.ts"

/** The Exif orientation of a JPEG, from 1 (upright) to 8; 1 if absent. */
export function jpegOrientation(jpeg: Uint8Array): number {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const length = bytes.readUInt16BE(at + 2)
    const segment = bytes.subarray(at + 4, at + 2 + length)
    if (bytes[at + 1] === APP1 && segment.toString("latin1", 0, 6) === "Exif\0\0")
      return tiffOrientation(segment.subarray(6))
    // Image data starts here; no tags follow.
    if (bytes[at + 1] === START_OF_SCAN) return 1
    at += 2 + length
  }
  return 1
}

const APP1 = 0xe1
const START_OF_SCAN = 0xda
const ORIENTATION_TAG = 0x0112
const TAG_BYTES = 12

/** From the first directory of a TIFF. */
function tiffOrientation(tiff: Buffer): number {
  if (tiff.length < 8) return 1
  const little = tiff.toString("latin1", 0, 2) === "II"
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let tag = 0; tag < short(directory); tag++) {
    const at = directory + 2 + tag * TAG_BYTES
    if (short(at) !== ORIENTATION_TAG) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** Rotates the pixels upright. */
export function turned(pixels: Pixels, orientation: number): Pixels {
  const from = sources[orientation]
  if (from === undefined) return pixels
  const [width, height] = orientation >= 5 ? [pixels.height, pixels.width] : [pixels.width, pixels.height]
  const source = new Uint32Array(pixels.rgba.slice().buffer)
  const target = new Uint32Array(source.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [column, row] = from(x, y, width - 1, height - 1)
      target[y * width + x] = source[row * pixels.width + column] ?? 0
    }
  return { width, height, rgba: new Uint8Array(target.buffer) }
}

type Source = (x: number, y: number, right: number, bottom: number) => readonly [column: number, row: number]

/** For each orientation: where the pixel `x`, `y` of the upright image is stored. */
const sources: Readonly<Record<number, Source>> = {
  2: (x, y, right) => [right - x, y],
  3: (x, y, right, bottom) => [right - x, bottom - y],
  4: (x, y, _right, bottom) => [x, bottom - y],
  5: (x, y) => [y, x],
  6: (x, y, right) => [y, right - x],
  7: (x, y, right, bottom) => [bottom - y, right - x],
  8: (x, y, _right, bottom) => [bottom - y, x],
}
