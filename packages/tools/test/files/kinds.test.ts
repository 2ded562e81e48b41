import assert from "node:assert/strict"
import { test } from "node:test"
import { binaryText, imageType, kindOfBytes, seenFiles } from "../../src/files/files.ts"
import { changeFile, imageOf } from "../../src/files/change-file.ts"
import { createMemoryHost } from "../../src/host/memory.ts"
import { context } from "../workspace.ts"

const bytes = (text: string) => Buffer.from(text, "latin1")
/** With two zeros, so that it is neither text nor UTF-16. */
const kindOf = (text: string) => kindOfBytes(Buffer.concat([bytes(text), Buffer.from([1, 0, 0, 1])]))

test("images are recognized by their whole beginning", () => {
  for (const [head, type] of [
    ["\x89PNG\r\n\x1a\n", "image/png"],
    ["\xff\xd8\xff", "image/jpeg"],
    ["GIF87a", "image/gif"],
    ["GIF89a", "image/gif"],
    ["RIFF1234WEBP", "image/webp"],
    ["\x89PNG\r\n\x1a\r", null],
    ["\xff\xd8", null],
    ["GIF88a", null],
    ["RIFF1234WAVE", null],
    ["RIFX1234WEBP", null],
    ["", null],
  ] as const) {
    assert.equal(imageType(bytes(head)), type)
    if (type !== null) assert.deepEqual(kindOf(head), { image: type })
  }
})

test("kinds of binary files by their magic bytes, at their offsets", () => {
  for (const [head, type] of [
    ["%PDF-1.7", "PDF"],
    ["PK\x03\x04", "ZIP archive"],
    [`${"x".repeat(257)}ustar`, "tar archive"],
    [`${"x".repeat(258)}ustar`, "unknown type"],
    ["abcdftypheic", "HEIC image"],
    ["abcdftypavif", "AVIF image"],
    ["abcdftypisom", "MP4 video"],
    ["abcdeftypisom", "unknown type"],
    ["\x7fELF", "ELF program"],
    ["x%PDF-", "unknown type"],
  ] as const)
    assert.deepEqual(kindOf(head), { binary: type }, head.slice(-12))
})

test("a NUL in the first 8192 bytes makes a file binary", () => {
  const at = (place: number) => Buffer.concat([Buffer.alloc(place, "x"), Buffer.from([0]), Buffer.alloc(9, "x")])
  assert.deepEqual(kindOfBytes(at(8_191)), { binary: "unknown type" })
  assert.deepEqual(kindOfBytes(at(8_192)), { text: true })
  assert.deepEqual(kindOfBytes(Buffer.alloc(0)), { text: true })
  assert.deepEqual(kindOfBytes(Buffer.from("text", "utf16le")), { text: true })
  assert.equal(
    binaryText("a.bin", "PDF", 2_048),
    "Binary file (PDF, 2.0KB): a.bin. Use bash to look at it, e.g. with file, xxd or strings.",
  )
})

test("read files are remembered by their real path; what is no file is not", async () => {
  const host = createMemoryHost({ files: { "/d/a": "abc" }, links: { "/l": "/d/a" } })
  const { mtimeMs } = (await host.stat("/d/a")) ?? assert.fail()
  assert.deepEqual(await seenFiles(host, ["/l", "/d", "/none"]), [{ path: "/d/a", size: 3, mtimeMs }])
})

test("a previous text of up to 16 KB is kept in the entry, any other content as an artifact", async () => {
  const stored: number[] = []
  const artifacts = {
    put: async (content: Uint8Array) => `sha256-${stored.push(content.length)}`,
    get: async () => null,
    spillPath: async (name: string) => name,
  }
  const image = (content: Uint8Array | null) => imageOf(content, { artifacts })
  assert.deepEqual(await image(null), { before: null })
  const most = Buffer.alloc(16_384, "x")
  const { before, beforeText } = await image(most)
  assert.match(before ?? "", /^sha256-[0-9a-f]{64}$/)
  assert.equal(beforeText, most.toString())
  assert.deepEqual(await image(Buffer.alloc(16_385, "x")), { before: "sha256-1" })
  assert.deepEqual(await image(Buffer.from([0xff])), { before: "sha256-2" })
  assert.equal((await image(Buffer.from("\ufeffa"))).beforeText, "\ufeffa")
  assert.deepEqual(await imageOf(Buffer.from([0xff]), {}), { before: null })
})

test("a change is on the tape before the file is changed; after an abort it is not made", async () => {
  const host = createMemoryHost({ files: { "/a": "old" } })
  const text = async () => Buffer.from(await host.readRange("/a", 0)).toString()
  const recorded: unknown[] = []
  const record = async (body: object) => void recorded.push([body, await text()])
  const change = { path: "/a", found: await host.stat("/a"), before: bytes("old"), after: [bytes("n"), bytes("ew")] }
  const stop = new AbortController()
  stop.abort()
  await assert.rejects(changeFile(host, context({ signal: stop.signal }), change), { message: "Operation aborted" })
  assert.equal(await text(), "old")
  const seen = await changeFile(host, context({ record }), change)
  const [[body, before]] = recorded as [[Readonly<Record<string, unknown>>, string]]
  assert.deepEqual([body["path"], body["beforeText"], before, await text()], ["/a", "old", "old", "new"])
  assert.deepEqual([seen?.path, seen?.size, seen?.sha256], ["/a", 3, body["after"]])
  const silent = { ...host, replaceFile: async () => undefined }
  await assert.rejects(changeFile(silent, context(), change), /Internal error in Gong: a host changed a file before/)
})
