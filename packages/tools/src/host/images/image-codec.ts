import type { ImageCodec } from "../../image/codec.ts"
import { photonCodec } from "./photon.ts"
import { sharpCodec } from "./sharp.ts"

let opened: ImageCodec | null | undefined

/**
 * The image codec of this machine, loaded on demand: the native library if installed, otherwise the portable one, which
 * is five times slower; null without either.
 */
export async function openImageCodec(): Promise<ImageCodec | null> {
  return (opened ??= loaded(sharpCodec) ?? loaded(photonCodec))
}

function loaded(load: () => ImageCodec): ImageCodec | null {
  try {
    return load()
  } catch {
    return null
  }
}
