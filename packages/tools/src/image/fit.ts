import { type ImageContent, phrase, type Text } from "@gong/spec"
import { openImageCodec } from "../host/images/image-codec.ts"
import { checkAborted, Refusal } from "../result.ts"
import { formatSize } from "../truncate.ts"
import type { Decoded, ImageCodec, Pixels } from "./codec.ts"
import { imageHeader, type ImageHeader } from "./header.ts"

/** Pixels of the longer side. */
export const IMAGE_MAX_SIDE = 2000
/** Size of one image as sent in base64, which is a third longer than its bytes. */
export const IMAGE_MAX_BYTES = 4.5 * 1024 * 1024
/** Larger files are not decoded. */
export const IMAGE_INPUT_MAX_BYTES = 64 * 1024 * 1024

export interface FitOptions {
  /** Default `IMAGE_MAX_BYTES`. */
  readonly maxBytes?: number
  readonly signal: AbortSignal
  /** The codec, requested only if an image must be converted. Default: the installed one. */
  readonly codec?: () => Promise<ImageCodec | null>
}

export type FittedImage =
  /** `note` tells the model what was changed; empty if nothing was. */
  | { readonly ok: true; readonly image: ImageContent; readonly note: string }
  /** A sentence: what is wrong and what to do. */
  | { readonly ok: false; readonly problem: Text }

/**
 * Converts an image for a model: within the limits of size and bytes, one frame, complete. Most images already fit and
 * stay unchanged.
 */
export async function fitImage(bytes: Uint8Array, mimeType: string, options: FitOptions): Promise<FittedImage> {
  const maxBytes = options.maxBytes ?? IMAGE_MAX_BYTES
  const kind = `${mimeType}, ${formatSize(bytes.length)}`
  const header = imageHeader(bytes, mimeType)
  if (header === null) return no(phrase`The image is damaged or of a kind that models do not take (${kind}).`)
  if (isFit(header, bytes, maxBytes)) return { ok: true, image: imageOf(bytes, mimeType), note: "" }
  const codec = await (options.codec ?? openImageCodec)()
  if (codec === null) {
    return no(
      phrase`The image must be made smaller (${sizeText(header)} pixels, ${kind}), and no image library is installed. Install sharp with npm, or make a smaller copy first.`,
    )
  }
  if (header.width * header.height > codec.maxPixels) {
    return no(
      phrase`The image is too large to open (${sizeText(header)} pixels; at most ${codec.maxPixels / 1e6} million). Make a smaller copy first.`,
    )
  }
  try {
    return await remade(codec, { bytes, mimeType, header }, maxBytes, options.signal)
  } catch (thrown) {
    if (thrown instanceof Refusal) throw thrown
    return no(phrase`The image is damaged or of a rare kind (${kind}). Make a copy of it as PNG first.`)
  }
}

/** Empty if the size is unchanged. */
export function formatDimensionNote(original: Size, shown: Size): string {
  if (original.width === shown.width) return ""
  const scale = (original.width / shown.width).toFixed(2)
  return `[Image: original ${sizeText(original)}, displayed at ${sizeText(shown)}. Multiply coordinates by ${scale} to map to original image.]`
}

type Size = Pick<Pixels, "width" | "height">

function isFit(header: ImageHeader, bytes: Uint8Array, maxBytes: number): boolean {
  const inside = header.width <= IMAGE_MAX_SIDE && header.height <= IMAGE_MAX_SIDE
  return inside && header.complete && !header.animated && sentBytes(bytes) <= maxBytes
}

/** Length in base64. */
function sentBytes(bytes: Uint8Array): number {
  return Math.ceil(bytes.length / 3) * 4
}

interface Original {
  readonly bytes: Uint8Array
  readonly mimeType: string
  readonly header: ImageHeader
}

async function remade(
  codec: ImageCodec,
  { bytes, mimeType, header }: Original,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FittedImage> {
  const whole = await codec.decode(bytes, mimeType, IMAGE_MAX_SIDE)
  const found = await smallEnough(codec, whole, maxBytes, signal)
  if (found !== null) return { ok: true, image: found.image, note: noteOf(header, whole, found.pixels) }
  return no(phrase`The image cannot be brought under ${formatSize(maxBytes)}. Make a smaller copy first.`)
}

const SCALES = [1, 0.75, 0.5, 0.35, 0.25]
const QUALITIES = [85, 70, 55, 40]

interface Found {
  readonly image: ImageContent
  readonly pixels: Pixels
}

/** The largest and best form within the limit (contract 5); null if there is none. */
async function smallEnough(
  codec: ImageCodec,
  whole: Pixels,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Found | null> {
  for (const scale of SCALES) {
    const [width, height] = [scaled(whole.width, scale), scaled(whole.height, scale)]
    const pixels = scale === 1 ? whole : await codec.resize(whole, width, height)
    for await (const image of formsOf(codec, pixels)) {
      checkAborted(signal)
      if (image.data.length <= maxBytes) return { image, pixels }
    }
  }
  return null
}

function scaled(side: number, scale: number): number {
  return Math.max(1, Math.round(side * scale))
}

/** PNG or JPEG, whichever is smaller, then JPEG with decreasing quality. */
async function* formsOf(codec: ImageCodec, pixels: Pixels): AsyncGenerator<ImageContent> {
  const png = imageOf(await codec.toPng(pixels), "image/png")
  for (const quality of QUALITIES) {
    const jpeg = imageOf(await codec.toJpeg(pixels, quality), "image/jpeg")
    yield quality === QUALITIES[0] && png.data.length <= jpeg.data.length ? png : jpeg
  }
}

function noteOf(header: ImageHeader, whole: Decoded, shown: Size): string {
  const frame = header.animated ? "[Animated: this is its first frame.]" : ""
  return [formatDimensionNote(whole.original, shown), frame].filter((note) => note !== "").join("\n")
}

function imageOf(bytes: Uint8Array, mimeType: string): ImageContent {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
  return { type: "image", mimeType, data }
}

function sizeText({ width, height }: Size): string {
  return `${width}x${height}`
}

function no(problem: Text): FittedImage {
  return { ok: false, problem }
}
