import type { ImageCodec } from "../../image/codec.ts"
import { photonCodec } from "./photon.ts"
import { sharpCodec } from "./sharp.ts"

let opened: ImageCodec | null | undefined

/**
 * What opens images on this machine, loaded at the first image that needs it: the native library where npm could bring it,
 * else the one that runs everywhere and is five times slower; null when there is neither.
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
