import { crc32, deflateSync } from "node:zlib"

const PIXELS_MAX = 50_000_000
/** Sizes of the two headers, from the start of the file (BITMAPFILEHEADER, BITMAPINFOHEADER). */
const FILE_HEADER = 14
const HEADERS = 54
/** Values of biCompression: none, and masks for the channels. */
const RGB = 0
const BITFIELDS = 3

/** A bitmap of Windows with 24 or 32 bits per pixel, not compressed, as PNG; null: it is none. */
export function pngOfBmp(bytes: Buffer): Buffer | null {
  if (bytes.length < HEADERS || bytes.toString("latin1", 0, 2) !== "BM") return null
  const [start, width, storedHeight] = [bytes.readUInt32LE(10), bytes.readInt32LE(18), bytes.readInt32LE(22)]
  const [bits, compression] = [bytes.readUInt16LE(28), bytes.readUInt32LE(30)]
  const height = Math.abs(storedHeight)
  const isPlain = (bits === 24 && compression === RGB) || (bits === 32 && (compression === RGB || isUsual(bytes)))
  // Rows end at a multiple of four bytes.
  const stride = Math.ceil((width * bits) / 32) * 4
  if (!isPlain || width < 1 || height < 1 || width * height > PIXELS_MAX) return null
  if (start + stride * height > bytes.length) return null
  const rows = Buffer.alloc((1 + width * 3) * height)
  for (let y = 0; y < height; y++) {
    // A positive height: the last row is stored first.
    let from = start + stride * (storedHeight > 0 ? height - 1 - y : y)
    let to = (1 + width * 3) * y + 1
    for (let x = 0; x < width; x++, from += bits / 8, to += 3) {
      rows[to] = bytes[from + 2] ?? 0
      rows[to + 1] = bytes[from + 1] ?? 0
      rows[to + 2] = bytes[from] ?? 0
    }
  }
  return png(width, height, rows)
}

/** The masks are those of blue, green, red in this order of bytes. */
function isUsual(bytes: Buffer): boolean {
  if (bytes.readUInt32LE(30) !== BITFIELDS || bytes.length < FILE_HEADER + 52) return false
  const masks = [54, 58, 62].map((at) => bytes.readUInt32LE(at))
  return masks.join() === [0xff0000, 0xff00, 0xff].join()
}

/** `rows`: 8 bits of red, green and blue for each pixel, each row behind a 0, which is its filter (PNG specification, 4 and 9). */
function png(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from("89504e470d0a1a0a", "hex")
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length, 0)
  numbers.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)])
}
