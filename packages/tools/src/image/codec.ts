/** Four bytes for each pixel: red, green, blue, and how much it covers. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

export interface Decoded extends Pixels {
  /** Size of the whole image, upright. */
  readonly original: { readonly width: number; readonly height: number }
}

/** Opens and makes images. It may throw at any image: bytes come from anywhere. */
export interface ImageCodec {
  readonly name: string
  /** Larger images are not opened: a few kilobytes can stand for gigabytes of pixels. */
  readonly maxPixels: number
  /** The first frame, upright, fitted into a square of `maxSide` pixels and never enlarged. */
  decode(bytes: Uint8Array, mimeType: string, maxSide: number): Promise<Decoded>
  resize(pixels: Pixels, width: number, height: number): Promise<Pixels>
  toPng(pixels: Pixels): Promise<Uint8Array>
  /** `quality` from 1 to 100; what covers nothing becomes white. */
  toJpeg(pixels: Pixels, quality: number): Promise<Uint8Array>
}
