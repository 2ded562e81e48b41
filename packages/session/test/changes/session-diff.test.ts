import assert from "node:assert/strict"
import { test } from "node:test"
import { type ChangeBody, noCopy } from "@gong/spec"
import { sessionDiff } from "../../src/changes/diff.ts"
import { place, start } from "../world.ts"

const path = "/work/f"

/** The lines of one file that the session changed; `before`: as it found it, as bytes or null for none. */
async function linesOf(
  before: string | Uint8Array | null,
  now: string | Uint8Array | null,
  more: Partial<ChangeBody> = {},
) {
  const where = place({ files: { "/work/other": "x" } })
  const { tape } = await start(where)
  const bytes = typeof before === "string" ? Buffer.from(before) : before
  const artifact = bytes && (await tape.store.artifacts.put(bytes))
  tape.append([{ type: "change", callId: "c", path, before: artifact, after: null, ...more }], { sync: true })
  if (now !== null) await where.host.replaceFile(path, Buffer.from(now), { expect: null })
  const files = await sessionDiff({ tape, host: where.host })
  assert.deepEqual(
    files.map((file) => file.path),
    files.length === 0 ? [] : [path],
  )
  return files[0]?.lines ?? null
}

test("a changed, created or removed file is a unified diff; an unchanged one is omitted", async () => {
  const head = ["--- /work/f", "+++ /work/f"]
  for (const [before, now, expected] of [
    ["a\nb\n", "a\nc\n", [...head, "@@ -1,2 +1,2 @@", " a", "-b", "+c"]],
    [null, "a\n", ["--- /dev/null", "+++ /work/f", "@@ -0,0 +1,1 @@", "+a"]],
    ["a\n", null, ["--- /work/f", "+++ /dev/null", "@@ -1,1 +0,0 @@", "-a"]],
    ["", "a", [...head, "@@ -0,0 +1,1 @@", "+a"]],
    [null, "", ["--- /dev/null", "+++ /work/f"]],
    ["", null, ["--- /work/f", "+++ /dev/null"]],
    ["a\nb\n", "a\nb\n", null],
    ["", "", null],
    [null, null, null],
    ["x\n\n", "x\n", [...head, "@@ -1,2 +1,1 @@", " x", "-"]],
  ] as const)
    assert.deepEqual(await linesOf(before, now), expected, `${before} ${now}`)
})

test("binary files and files without a before-image are only listed", async () => {
  const latin = Buffer.from([0x61, 0xe9, 0x0a])
  for (const [before, now] of [
    [latin, "a"],
    ["a", latin],
    ["a\0b", "a"],
    ["a", "\0"],
  ] as const)
    assert.deepEqual(await linesOf(before, now), ["/work/f: not text."])
  const none = ["/work/f: there is no earlier copy."]
  assert.deepEqual(await linesOf(null, "a", { before: noCopy }), none)
  assert.deepEqual(await linesOf(null, "a", { before: `sha256-${"0".repeat(64)}` }), none)
  const kept = await linesOf(null, "b", { before: `sha256-${"0".repeat(64)}`, beforeText: "a" })
  assert.deepEqual(kept?.slice(2), ["@@ -1,1 +1,1 @@", "-a", "+b"])
})

test("more than 10,000 lines of both sides together are not compared", async () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("")
  assert.deepEqual((await linesOf(lines(6_000), lines(4_000)))?.length, 2 + 1 + 3 + 2_000)
  assert.deepEqual(await linesOf(lines(6_000), lines(4_001)), ["/work/f: too many lines to be compared here."])
})
