import assert from "node:assert/strict"
import { test } from "node:test"
import type { ToolContext } from "@gong/spec"
import { partsResult, type ResultPart } from "@gong/tools/parts"

const signal = new AbortController().signal

/** The text of the result, its other blocks, its details, and the artifacts that were stored. */
async function resultOf(head: string, parts: readonly ResultPart[], keeps = true) {
  const stored: string[] = []
  const artifacts: NonNullable<ToolContext["artifacts"]> = {
    async put(bytes) {
      stored.push(Buffer.from(bytes).toString())
      return `sha256-${stored.length}`
    },
    get: async () => null,
    spillPath: async (name) => name,
  }
  const { content, details } = await partsResult(head, parts, {}, { signal, ...(keeps && { artifacts }) })
  const [first, ...others] = content
  assert.equal(first?.type, "text")
  return { text: first.text, others, details, stored }
}

const text = (value: string): ResultPart => ({ kind: "text", text: value })

test("texts are lines below the head", async () => {
  for (const [head, parts, expected] of [
    ["", ["a"], "a"],
    ["Head", ["a", "b"], "Head\n\na\nb"],
    ["Head", [""], "Head"],
  ] as const) {
    const { text: shown, others, details, stored } = await resultOf(head, parts.map(text))
    assert.deepEqual([shown, others, details, stored], [expected, [], { truncated: false }, []])
  }
})

test("a result without parts is said to be empty", async () => {
  assert.match((await resultOf("", [])).text, /^\s*\[The result is empty\]$/)
  assert.match((await resultOf("Head", [])).text, /^Head\n\n\[The result is empty\]$/)
})

test("bytes are an artifact, with their name, type and size; without artifacts they are not kept", async () => {
  const bytes: ResultPart = { kind: "bytes", mimeType: "audio/wav", data: "QUJD", name: "sound" }
  const kept = await resultOf("", [bytes, text("t")])
  assert.deepEqual([kept.text, kept.stored], ["[sound, audio/wav, 3B: artifact:sha256-1]\nt", ["ABC"]])
  assert.equal((await resultOf("", [bytes], false)).text, "[sound, audio/wav, 3B, not kept]")
})

test("an image follows the text; one that is broken is described", async () => {
  const { text: shown, others } = await resultOf("", [
    text("t"),
    { kind: "image", mimeType: "image/png", data: "QUJD" },
  ])
  assert.equal(shown, "t")
  assert.equal(others.length, 1)
  assert.match(others[0]?.type === "text" ? others[0].text : "", /^an image is not shown: /)
})

test("a long text is cut at whole lines, and all of it is an artifact", async () => {
  const lines = Array.from({ length: 2_001 }, (_, at) => `${at}`).join("\n")
  const cut = await resultOf("Head", [text(lines)])
  assert.ok(cut.text.startsWith("Head\n\n0\n1\n"))
  assert.match(
    cut.text,
    /\n1999\n\n\[Showing lines 1-2000 of 2001 \(\S+, limit 2000 lines\)\. All of it: read artifact:sha256-1 with offset=2001\.?\]$/,
  )
  assert.deepEqual([cut.details, cut.stored], [{ truncated: true, artifact: "sha256-1" }, [lines]])
  const lost = await resultOf("", [text(lines)], false)
  assert.match(lost.text, /\[Showing lines 1-2000 of 2001 \(\S+, limit 2000 lines\)\.?\]$/)
  assert.deepEqual(lost.details, { truncated: true })
})

test("of a single long line the beginning is shown, without half a character", async () => {
  const line = `${"x".repeat(51_199)}\u00e9${"y".repeat(10)}`
  const { text: shown } = await resultOf("", [text(line)])
  assert.match(
    shown,
    /^x{51199}\n\n\[Showing the beginning of the first line of 1 \(\S+, limit 50.0KB\)\. All of it: read artifact:sha256-1\.?\]$/,
  )
})
