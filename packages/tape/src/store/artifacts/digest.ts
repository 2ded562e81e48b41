import { smallSha256 } from "./sha256.ts"

// Up to this many bytes, loading Node's module takes longer than the work itself.
const smallSha = 64 * 1024
const smallCrc = 512 * 1024

/** SHA-256 (FIPS 180-4), lower-case hex. */
export function sha256(bytes: Uint8Array): string {
  if (bytes.length <= smallSha) return smallSha256(bytes)
  return process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex")
}

/** CRC-32 as in zlib (ISO 3309) of bytes or of text as UTF-8, continued from the checksum `before`. */
export function crc32(data: Uint8Array | string, before = 0): number {
  const bytes = typeof data === "string" ? Buffer.from(data) : data
  return bytes.length <= smallCrc
    ? smallCrc32(bytes, before)
    : process.getBuiltinModule("node:zlib").crc32(bytes, before)
}

/** The CRC-32 function for pieces of `total` bytes: for a long file, Node's module is worth loading (15 times as fast). */
export function crc32Over(total: number): typeof crc32 {
  return total <= smallSha ? crc32 : process.getBuiltinModule("node:zlib").crc32
}

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

function smallCrc32(bytes: Uint8Array, before: number): number {
  let sum = ~before
  for (let at = 0; at < bytes.length; at++) sum = (table[(sum ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (sum >>> 8)
  return ~sum >>> 0
}
