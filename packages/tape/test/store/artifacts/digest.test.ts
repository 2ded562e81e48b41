import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { test } from "node:test"
import zlib from "node:zlib"
import { crc32, sha256 } from "../../../src/store/artifacts/digest.ts"

const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, at) => (at * 31 + (at >> 7)) & 255))
// Around the length from which Node's own module is used.
const lengths = [0, 1, 7, 8, 63, 64, 65, 1000, 65_535, 65_536, 65_537, 524_288, 524_289, 600_000]

test("checksums equal those of zlib and crypto, below and above the size at which Node's modules take over", () => {
  for (const length of lengths) {
    const part = bytes.subarray(0, length)
    assert.equal(crc32(part), zlib.crc32(part), `crc32 of ${length}`)
    assert.equal(sha256(part), createHash("sha256").update(part).digest("hex"), `sha256 of ${length}`)
  }
})

test("a checksum continues from an earlier one, also over text", () => {
  assert.equal(crc32("lo 世界", crc32("hel")), zlib.crc32("hello 世界"))
})
