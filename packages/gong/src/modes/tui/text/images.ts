import { imageHeader } from "@gong/tools/image-header"
import type { ClientImage } from "@gong/app/controller/prompt-input"
import type { Size } from "@gong/screen/frame"
import { cellsOf, type ImageProtocol, isShown } from "@gong/screen/image"
import type { Block } from "@gong/screen/row"
import type { Translate } from "@gong/texts/translator"

export interface ImageOptions {
  readonly t: Translate
  /** Null: the terminal shows no images. */
  readonly images: ImageProtocol | null
  /** Of the screen now. */
  size(): Size
}

/** Base64 characters whose bytes hold the size of an image. */
const HEADER_MAX = 400_000
const isBase64 = /^[A-Za-z0-9+/]+=*$/

/** An image in the transcript, or its size. */
export function imageBlock({ mimeType, data }: ClientImage, { t, images, size }: ImageOptions): Block {
  const header = isBase64.test(data) ? imageHeader(Buffer.from(data.slice(0, HEADER_MAX), "base64"), mimeType) : null
  if (header !== null && images !== null && isShown(images, mimeType)) {
    const image = { protocol: images, data, ...cellsOf(header, size()) }
    return { line: [], whole: false, indent: [{ text: "    " }], image }
  }
  const about = header === null ? mimeType : `${header.width}x${header.height}`
  return { line: [{ text: `    [${t`image ${about}`}]`, role: "muted" }], whole: false }
}
