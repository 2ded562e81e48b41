import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { collectOutput } from "../../../src/bash/output/output.ts"
import { createRollingBuffer } from "../../../src/bash/output/rolling-buffer.ts"

const text = "a é 你 😀\n\u0000 ﬃ e\u0301 𝒳\r\nend 好"
const bytes = Buffer.from(text)

function collect(pieces: readonly (readonly [Uint8Array, "stdout" | "stderr"])[]) {
  const shown: string[] = []
  const output = collectOutput({ onOutput: (bytes) => shown.push(Buffer.from(bytes).toString()) })
  for (const [piece, stream] of pieces) output.add(piece, stream)
  return { output, shown }
}

test("[BASH-5.1] [BASH-3.4] every split of a stream into two or three chunks gives the same text", async () => {
  for (let one = 0; one <= bytes.length; one++)
    for (let two = one; two <= bytes.length; two++) {
      const cuts = [bytes.subarray(0, one), bytes.subarray(one, two), bytes.subarray(two)]
      const { output, shown } = collect(cuts.map((cut) => [cut, "stdout"] as const))
      assert.equal((await output.end()).truncation.content, text)
      assert.equal(shown.join(""), text)
    }
})

test("two streams split and interleaved in any way never mix characters", async () => {
  const other = "ﾊﾝｶｸ ß 💾 다"
  const cut = fc.array(fc.nat(40), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(cut, cut, fc.array(fc.boolean(), { maxLength: 40 }), async (outCuts, errCuts, order) => {
      const out = piecesOf(bytes, outCuts).map((piece) => [piece, "stdout"] as const)
      const err = piecesOf(Buffer.from(other), errCuts).map((piece) => [piece, "stderr"] as const)
      const mixed = []
      for (const first of order) mixed.push(...(first ? out : err).splice(0, 1))
      const { output } = collect([...mixed, ...out, ...err])
      const { truncation, tails } = await output.end()
      assert.deepEqual([tails.stdout, tails.stderr], [text, other])
      assert.deepEqual([...truncation.content].sort(), [...(text + other)].sort())
    }),
    { numRuns: 300 },
  )
})

test("invalid UTF-8 in one stream does not affect the other, however they are split and interleaved", async () => {
  const bytesOf = fc.array(fc.constantFrom(0x41, 0x80, 0xa0, 0xbd, 0xc3, 0xe0, 0xe4, 0xed, 0xf0, 0xf4, 0x9f, 0xff))
  const cut = fc.array(fc.nat(40), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(bytesOf, bytesOf, cut, cut, fc.array(fc.boolean()), async (out, err, outCuts, errCuts, order) => {
      const whole = [out, err].map((stream) => Buffer.from(stream).toString())
      const outPieces = piecesOf(Buffer.from(out), outCuts).map((piece) => [piece, "stdout"] as const)
      const errPieces = piecesOf(Buffer.from(err), errCuts).map((piece) => [piece, "stderr"] as const)
      const mixed = []
      for (const first of order) mixed.push(...(first ? outPieces : errPieces).splice(0, 1))
      const { output } = collect([...mixed, ...outPieces, ...errPieces])
      const { truncation, tails } = await output.end()
      assert.deepEqual([tails.stdout, tails.stderr], whole)
      assert.deepEqual([...truncation.content].sort(), [...whole.join("")].sort())
    }),
    { numRuns: 1_000 },
  )
})

test("output taken in parts is complete, also if a part ends inside a character", async () => {
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { output } = collect([[bytes.subarray(0, cut), "stdout"]])
    const first = await output.take()
    output.add(bytes.subarray(cut), "stdout")
    const rest = await output.end()
    assert.equal(first.truncation.content + rest.truncation.content, text)
    if (cut < bytes.length) assert.equal(rest.linesBefore + rest.truncation.totalLines, 3)
  }
})

test("[BASH-S.04] [BASH-3.1] the oldest chunks are dropped first, and at least one remains", () => {
  const rolling = createRollingBuffer(10_000)
  let all = ""
  for (let count = 0; count < 100; count++) {
    const piece = String(count % 10).repeat(count * 7)
    rolling.add(Buffer.from(piece))
    all += piece
    assert.equal(rolling.text(), all.slice(-10_000))
  }
  rolling.add(Buffer.from("x".repeat(50_000)))
  assert.equal(rolling.text(), "x".repeat(10_000))
  rolling.clear()
  assert.equal(rolling.text(), "")
})

test("[BASH-3.4] the kept output starts at a character, and invalid bytes do not enlarge it", () => {
  for (const [bytes, kept] of [
    ["汉".repeat(5_000), "汉".repeat(3_333)],
    ["😀".repeat(5_000), "😀".repeat(2_500)],
    [`${"é".repeat(5_000)}x`, `${"é".repeat(4_999)}x`],
  ] as const) {
    const rolling = createRollingBuffer(10_000)
    for (const byte of Buffer.from(bytes)) rolling.add(Uint8Array.of(byte))
    assert.equal(rolling.text(), kept)
  }
  const strays = createRollingBuffer(10_000)
  strays.add(Buffer.alloc(50_000, 0x80))
  assert.equal(strays.text(), "\ufffd".repeat(3_333))
})

test("[BASH-S.17] the middle strategy keeps the first and last half of 512 KB, with a mark between", async () => {
  const half = 256 * 1024
  // Three bytes each, all different.
  const whole = Array.from({ length: 300_000 }, (_, at) => String.fromCharCode(0x4e00 + (at % 20_011))).join("")
  for (const size of [97, 1_000, 4_096, 900_000]) {
    const output = collectOutput({ strategy: "middle", onOutput() {}, spillPath: async () => "/nonexistent/x" })
    const all = Buffer.from(whole)
    for (let at = 0; at < all.length; at += size) output.add(all.subarray(at, at + size), "stdout")
    const { truncation, middle } = await output.end()
    const [head = "", mark = "", tail = ""] = truncation.content.split("\n")
    assert.equal(mark, `[... ${middle} bytes left out ...]`)
    assert.ok(whole.startsWith(head))
    assert.ok(whole.endsWith(tail))
    for (const part of [head, tail]) assert.ok(half - Buffer.byteLength(part) < 3)
    assert.equal(Buffer.byteLength(head) + middle + Buffer.byteLength(tail), all.length)
  }
})

test("[BASH-S.17] the middle strategy keeps output that fits complete", async () => {
  const output = collectOutput({ strategy: "middle", onOutput() {} })
  const whole = "é".repeat(262_144)
  output.add(Buffer.from(`a${whole}`).subarray(0, 524_288 - 1), "stdout")
  const { truncation, path } = await output.end()
  assert.deepEqual([truncation.truncated, path], [false, undefined])
  assert.equal(truncation.content, `a${"é".repeat(262_143)}`)
})

function piecesOf(all: Buffer, cuts: readonly number[]): Uint8Array[] {
  const at = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length]
  return at.slice(1).map((end, index) => all.subarray(at[index], end))
}
