import { englishOf, type UserContent } from "@gong/spec"
import { fitImage, IMAGE_INPUT_MAX_BYTES, type FitOptions } from "../image/fit.ts"
import { Refusal } from "../result.ts"
import { formatSize } from "../truncate.ts"
import type { Source } from "./windows.ts"

export interface ImageOptions {
  /** Maximum bytes of one image as sent. Default 4.5 MB. */
  readonly imageMaxBytes?: number
  /** Decodes images that must be converted. Default: the codec installed on this machine. */
  readonly imageCodec?: FitOptions["codec"]
}

/** An image file in the form that a model accepts, after a line that describes it and any conversion. */
export async function readImage(
  source: Source,
  mimeType: string,
  typed: string,
  options: ImageOptions,
  signal: AbortSignal,
): Promise<readonly UserContent[]> {
  if (source.size > IMAGE_INPUT_MAX_BYTES)
    throw new Refusal(
      `${typed} is not shown: The image is too large to open (${mimeType}, ${formatSize(source.size)}; at most ${formatSize(IMAGE_INPUT_MAX_BYTES)}). Make a smaller copy first.`,
    )
  const { imageMaxBytes: maxBytes, imageCodec: codec } = options
  const bytes = await source.read(0, source.size)
  const fitted = await fitImage(bytes, mimeType, { ...(maxBytes && { maxBytes }), ...(codec && { codec }), signal })
  if (!fitted.ok) throw new Refusal(`${typed} is not shown: ${englishOf(fitted.problem)}`)
  const { image, note } = fitted
  return [{ type: "text", text: `Read image file [${image.mimeType}]${note && `\n${note}`}` }, image]
}
