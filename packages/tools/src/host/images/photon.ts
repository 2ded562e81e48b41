import type * as Photon from "@silvia-odwyer/photon-node"
import type { PhotonImage } from "@silvia-odwyer/photon-node"
import type { ImageCodec, Pixels } from "../../image/codec.ts"
import { jpegOrientation, turned } from "../../image/orientation.ts"
import { requirePackage } from "./require-package.ts"

/** It holds all pixels twice and blocks the event loop. */
const MAX_PIXELS = 25e6

/** A WebAssembly codec for every platform. Throws if it is not installed. */
export function photonCodec(): ImageCodec {
  const photon = requirePackage("@silvia-odwyer/photon-node") as typeof Photon
  const open = ({ rgba, width, height }: Pixels) => new photon.PhotonImage(rgba, width, height)
  const shrink = (image: PhotonImage, width: number, height: number) =>
    used(photon.resize(image, width, height, photon.SamplingFilter.Triangle), pixelsOf)
  return {
    name: "photon",
    maxPixels: MAX_PIXELS,
    async decode(bytes, mimeType, maxSide) {
      await others()
      const orientation = mimeType === "image/jpeg" ? jpegOrientation(bytes) : 1
      return used(photon.PhotonImage.new_from_byteslice(bytes), (image) => {
        const stored = { width: image.get_width(), height: image.get_height() }
        const scale = Math.min(1, maxSide / stored.width, maxSide / stored.height)
        const side = (length: number) => Math.max(1, Math.round(length * scale))
        const pixels = scale === 1 ? pixelsOf(image) : shrink(image, side(stored.width), side(stored.height))
        const original = orientation >= 5 ? { width: stored.height, height: stored.width } : stored
        return { ...turned(pixels, orientation), original }
      })
    },
    async resize(pixels, width, height) {
      await others()
      return used(open(pixels), (image) => shrink(image, width, height))
    },
    async toPng(pixels) {
      await others()
      return used(open(pixels), (image) => image.get_bytes())
    },
    async toJpeg(pixels, quality) {
      await others()
      return used(open(onWhite(pixels)), (image) => image.get_bytes_jpeg(quality))
    },
  }
}

/** Yields to other work, such as an abort: each step blocks for up to a second. */
function others(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** Its memory must be freed explicitly. */
function used<T>(image: PhotonImage, work: (image: PhotonImage) => T): T {
  try {
    return work(image)
  } finally {
    image.free()
  }
}

function pixelsOf(image: PhotonImage): Pixels {
  return { width: image.get_width(), height: image.get_height(), rgba: image.get_raw_pixels() }
}

function onWhite({ width, height, rgba }: Pixels): Pixels {
  const flat = new Uint8Array(rgba.length)
  for (let at = 0; at < rgba.length; at++) {
    const cover = rgba[at | 3] ?? 255
    flat[at] = (at & 3) === 3 ? 255 : 255 + (((rgba[at] ?? 0) - 255) * cover) / 255
  }
  return { width, height, rgba: flat }
}
