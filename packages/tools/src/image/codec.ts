/** Four bytes per pixel: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

export interface Decoded extends Pixels {
  /** Size of the whole image, upright. */
  readonly original: { readonly width: number; readonly height: number }
}

/** Decodes and encodes images. May throw on any input, since the bytes are untrusted. */
export interface ImageCodec {
  readonly name: string
  /** Larger images are not decoded: a few kilobytes can expand to gigabytes of pixels. */
  readonly maxPixels: number
  /** The first frame, upright, scaled down to fit a square of `maxSide` pixels, never enlarged. */
  decode(bytes: Uint8Array, mimeType: string, maxSide: number): Promise<Decoded>
  resize(pixels: Pixels, width: number, height: number): Promise<Pixels>
  toPng(pixels: Pixels): Promise<Uint8Array>
  /** `quality` from 1 to 100. Transparent pixels become white. */
  toJpeg(pixels: Pixels, quality: number): Promise<Uint8Array>
}
