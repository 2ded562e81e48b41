/** Facts from the first bytes of an image, without decoding it. */
export interface ImageHeader {
  /** As stored; the Exif orientation may rotate it. */
  readonly width: number
  readonly height: number
  readonly animated: boolean
  /** Whether the file is complete: providers refuse a truncated image, and with it every later request. */
  readonly complete: boolean
}

/** The size of a PNG, JPEG, GIF or WebP; null if the header cannot be read. */
export function imageHeader(bytes: Uint8Array, mimeType: string): ImageHeader | null {
  const header = readers[mimeType]?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? null
  return header !== null && header.width > 0 && header.height > 0 ? header : null
}

const readers: Readonly<Record<string, (bytes: Buffer) => ImageHeader | null>> = {
  "image/png": png,
  "image/jpeg": jpeg,
  "image/gif": gif,
  "image/webp": webp,
}

function png(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 24 || bytes.toString("latin1", 12, 16) !== "IHDR") return null
  const complete = bytes.lastIndexOf("IEND") !== -1
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), animated: false, complete }
}

/** Walks the segments up to the start of a frame. */
function jpeg(bytes: Buffer): ImageHeader | null {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    if (isFrame(marker)) {
      const complete = bytes.lastIndexOf(END_OF_IMAGE) > at
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5), animated: false, complete }
    }
    // Any number of 0xff bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9])

/** 0xc4, 0xc8 and 0xcc are tables; the rest of 0xc0 to 0xcf are frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function gif(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 13) return null
  // The repetition block follows the colour table.
  const animated = bytes.subarray(0, 4100).includes("NETSCAPE2.0")
  const complete = bytes.at(-1) === 0x3b || bytes.subarray(-16).includes("\0;")
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), animated, complete }
}

function webp(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 30) return null
  const complete = bytes.readUInt32LE(4) + 8 <= bytes.length
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return {
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
        animated: false,
        complete,
      }
    case "VP8L": {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, animated: false, complete }
    }
    case "VP8X": {
      const animated = ((bytes[20] ?? 0) & 0x02) !== 0
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1, animated, complete }
    }
    default:
      return null
  }
}
