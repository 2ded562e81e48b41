import { photonCodec } from "../../src/host/images/photon.ts"
import { sharpCodec } from "../../src/host/images/sharp.ts"
import type { ImageCodec, Pixels } from "../../src/image/codec.ts"

/** Both codecs; sharp is optional and not available for every platform. */
export const codecs: readonly { readonly name: string; readonly codec: ImageCodec | null }[] = [
  { name: "photon", codec: photonCodec() },
  { name: "sharp", codec: installed(sharpCodec) },
]

export function missing(codec: ImageCodec | null): string | false {
  return codec === null ? "sharp is not installed for this machine" : false
}

function installed(load: () => ImageCodec): ImageCodec | null {
  try {
    return load()
  } catch {
    return null
  }
}

/** Encodes the test images; always installed. */
export const maker = photonCodec()

/** An image by its pixels: red, green, blue, alpha. */
export function picture(width: number, height: number, at: (x: number, y: number) => readonly number[]): Pixels {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rgba.set(at(x, y), (y * width + x) * 4)
  return { width, height, rgba }
}

export function plain(width: number, height: number): Pixels {
  return { width, height, rgba: new Uint8Array(width * height * 4).fill(255) }
}

/** Deterministic noise, which no format can compress. */
export function noise(width: number, height: number): Pixels {
  const rgba = new Uint8Array(width * height * 4)
  let state = 1
  for (let at = 0; at < rgba.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    rgba[at] = (at & 3) === 3 ? 255 : state >>> 16
  }
  return { width, height, rgba }
}

/** One complete pixel of each type. */
export const tiny: Readonly<Record<string, Uint8Array>> = {
  "image/png": base64(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  ),
  "image/jpeg": await maker.toJpeg(plain(1, 1), 85),
  "image/gif": base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  "image/webp": base64("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA="),
}

function base64(text: string): Uint8Array {
  return Buffer.from(text, "base64")
}

const repeat = "!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
const frame = (data: string) => `!\xf9\x04\0\x0a\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02${data}\x01\0`

/** Two frames of one pixel: red, then blue. */
export const animatedGif = Buffer.from(
  `GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\0\xff${repeat}${frame("\x44")}${frame("\x4c")};`,
  "latin1",
)

/** A PNG header that claims a size, without data. */
export function claimedPng(width: number, height: number): Uint8Array {
  const bytes = Buffer.from(tiny["image/png"] ?? [])
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** A JPEG with an Exif orientation. */
export function withOrientation(jpeg: Uint8Array, orientation: number): Uint8Array {
  const tiff = Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0", "latin1")
  tiff.writeUInt16BE(orientation, 18)
  const body = Buffer.concat([Buffer.from("Exif\0\0"), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}
