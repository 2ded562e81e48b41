import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "../../src/host/memory.ts"
import { linesOf } from "../../src/walk/lines.ts"
import { ignoresOf, levelOf, levelsAbove } from "../../src/walk/ignores.ts"

const MEGABYTE = 1024 * 1024

async function read(content: string | Uint8Array) {
  const host = createMemoryHost({ files: { "/work/a": content } })
  const lines: string[] = []
  let binary = false
  for await (const part of linesOf(host, "/work/a")) {
    lines.push(...part.lines)
    binary ||= part.binary
  }
  return { lines, binary }
}

test("lines are returned without their ends, also at a window boundary and without a final newline", async () => {
  assert.deepEqual((await read("")).lines, [])
  assert.deepEqual((await read("\n")).lines, [""])
  assert.deepEqual((await read("a\r\nb\n\nc")).lines, ["a", "b", "", "c"])
  for (const length of [MEGABYTE - 2, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1]) {
    const line = "x".repeat(length)
    assert.deepEqual((await read(`${line}\r\ny\n`)).lines, [line, "y"], String(length))
    assert.deepEqual((await read(line)).lines, [line], `${length} alone`)
  }
  const wide = `${"x".repeat(MEGABYTE - 1)}€\nb`
  assert.deepEqual((await read(wide)).lines, wide.split("\n"))
})

test("UTF-16 is detected by its mark; otherwise a NUL means binary", async () => {
  assert.deepEqual(await read(Buffer.from("\ufeffa\nb", "utf16le")), { lines: ["a", "b"], binary: false })
  assert.deepEqual(await read(Buffer.from("\ufeffa\nb", "utf16le").swap16()), { lines: ["a", "b"], binary: false })
  assert.deepEqual(await read("\ufeffa"), { lines: ["a"], binary: false })
  assert.equal((await read("a\0b")).binary, true)
  assert.equal((await read(Buffer.from([0xff, 0xfd, 0]))).binary, true)
  assert.equal((await read(Buffer.from([0xfe, 0xfe, 0]))).binary, true)
  assert.deepEqual((await read(Buffer.from([0x61, 0xff, 0x0a]))).lines, ["a\ufffd"])
})

test("the strongest kind of ignore file wins, then the nearest; those of git end at the top of the repository", async () => {
  const host = createMemoryHost({
    cwd: "/w/r/d",
    files: {
      "/w/.gitignore": "above\nkept\n",
      "/w/.ignore": "*.log\nabove-too\n",
      "/w/r/.git/info/exclude": "excluded\n",
      "/w/r/.gitignore": "!kept\nbuild/\nnear\n*.tmp\n",
      "/w/r/.ignore": "!a.tmp\n",
      "/w/r/.rgignore": "strong\n",
      "/w/r/d/.ignore": "!near\n!strong\n",
      "/w/r/d/.gitignore": "/only\n",
    },
  })
  const names = new Set((await host.readdir("/w/r/d")).map(({ name }) => name))
  const level = await levelOf(host, "/w/r/d", await levelsAbove(host, "/w/r/d"), names)
  const rows: readonly (readonly [name: string, directory: boolean, inside: boolean, outside: boolean])[] = [
    ["above", false, false, true],
    ["above-too", false, true, true],
    ["kept", false, false, false],
    ["x.log", false, true, true],
    ["excluded", false, true, true],
    ["build", true, true, true],
    ["build", false, false, false],
    ["near", false, false, false],
    ["a.tmp", false, false, false],
    ["b.tmp", false, true, true],
    ["strong", false, true, true],
    ["only", false, true, true],
    ["sub/only", false, false, false],
    ["plain", false, false, false],
  ]
  for (const [name, directory, inside, outside] of rows) {
    const leaves = (repository: boolean) => ignoresOf(level, repository).leaveOut(`/w/r/d/${name}`, directory)
    assert.deepEqual([leaves(true), leaves(false)], [inside, outside], name)
  }
  assert.equal(await levelsAbove(host, "/"), null)
})
