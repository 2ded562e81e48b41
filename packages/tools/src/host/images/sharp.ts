import type Sharp from "sharp"
import type { Sharp as Image } from "sharp"
import type { ImageCodec, Pixels } from "../../image/codec.ts"
import { requirePackage } from "./require-package.ts"

const MAX_PIXELS = 150e6
/** An image that takes longer was crafted to do so. */
const MAX_SECONDS = 20
const WHITE = "#ffffff"

/**
 * libvips by sharp, which holds only a few lines of an image in memory. Throws if it is not installed for this
 * platform.
 */
export function sharpCodec(): ImageCodec {
  const sharp = requirePackage("sharp") as typeof Sharp
  // Images are decoded one at a time, so a cache gains nothing and more threads cost memory.
  sharp.cache(false)
  sharp.concurrency(1)
  const open = ({ rgba, width, height }: Pixels) => sharp(rgba, { raw: { width, height, channels: 4 } })
  return {
    name: "sharp",
    maxPixels: MAX_PIXELS,
    async decode(bytes, _mimeType, maxSide) {
      const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" })
      const { autoOrient: original } = await image.metadata()
      const fitted = image
        .autoOrient()
        .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
      return { ...(await pixelsOf(fitted)), original }
    },
    resize: (pixels, width, height) => pixelsOf(open(pixels).resize({ width, height, fit: "fill" })),
    toPng: (pixels) => open(pixels).png().timeout({ seconds: MAX_SECONDS }).toBuffer(),
    toJpeg: (pixels, quality) =>
      open(pixels).flatten({ background: WHITE }).jpeg({ quality }).timeout({ seconds: MAX_SECONDS }).toBuffer(),
  }
}

async function pixelsOf(image: Image): Promise<Pixels> {
  const raw = image.toColourspace("srgb").ensureAlpha().raw({ depth: "uchar" }).timeout({ seconds: MAX_SECONDS })
  const { data, info } = await raw.toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}
