import assert from "node:assert/strict"
import { test } from "node:test"
import type { ExecResult } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import type { Search, SearchEvent } from "../../src/grep/engine.ts"
import { searchByRipgrep } from "../../src/grep/ripgrep.ts"
import { createMemoryHost } from "../../src/host/memory.ts"

const search: Search = {
  folder: "/work",
  file: null,
  exclude: [".git"],
  everything: false,
  repository: true,
  pattern: "-x",
  literal: false,
  ignoreCase: false,
  globFilter: null,
  mode: "content",
  before: 0,
  after: 0,
  limit: 100,
  clock: manualClock(),
  signal: new AbortController().signal,
}

interface Played {
  readonly out?: string
  readonly err?: string
  readonly code?: number
}

/** Output comes in pieces of this size. */
const pieceBytes = 1024 * 1024

/** A search by a ripgrep that prints this, one answer after the other. */
async function played(more: Partial<Search>, ...answers: readonly Played[]) {
  const commands: (readonly string[])[] = []
  const host = createMemoryHost({
    async exec(command, { onData }): Promise<ExecResult> {
      const { out = "", err = "", code = 0 } = answers[commands.length] ?? {}
      commands.push(typeof command === "string" ? [command] : command.slice(3))
      const bytes = Buffer.from(out)
      for (let at = 0; at < bytes.length; at += pieceBytes) onData(bytes.subarray(at, at + pieceBytes), "stdout")
      if (err !== "") onData(Buffer.from(err), "stderr")
      return { code, signal: null }
    },
  })
  const events: SearchEvent[] = []
  const found = await searchByRipgrep(
    host,
    { rgPath: "/rg" },
    { ...search, ...more },
    (event) => events.push(event) > 0,
  )
  return { commands, events, found }
}

const scope = ["--crlf", "--hidden", "--glob", "!.git"]

test("the arguments of each mode and option; a pattern may begin with a dash", async () => {
  for (const [more, args] of [
    [{}, ["--json", "--line-number", ...scope, "--", "-x", "./"]],
    [{ mode: "files_with_matches" }, ["--files-with-matches", "--null", ...scope, "--", "-x", "./"]],
    [{ mode: "count" }, ["--count", "--with-filename", "--null", ...scope, "--", "-x", "./"]],
    [
      { ignoreCase: true, literal: true },
      ["--json", "--line-number", ...scope, "--ignore-case", "--fixed-strings", "--", "-x", "./"],
    ],
    [
      { before: 2, after: 3 },
      ["--json", "--line-number", ...scope, "--before-context=2", "--after-context=3", "--", "-x", "./"],
    ],
    [{ mode: "count", before: 2, after: 3 }, ["--count", "--with-filename", "--null", ...scope, "--", "-x", "./"]],
    [{ file: "a" }, ["--json", "--line-number", ...scope, "--", "-x", "./a"]],
    [
      { everything: true, exclude: [] },
      ["--json", "--line-number", "--crlf", "--hidden", "--no-ignore", "--", "-x", "./"],
    ],
    [
      { repository: false, exclude: [] },
      ["--json", "--line-number", "--crlf", "--hidden", "--no-require-git", "--", "-x", "./"],
    ],
  ] as const)
    assert.deepEqual((await played(more as Partial<Search>)).commands, [args])
})

const event = (type: string, data: object) => `${JSON.stringify({ type, data })}\n`

test("events of lines: matches and context, texts and bytes, with the ends of lines left out", async () => {
  const base64 = (text: string) => ({ bytes: Buffer.from(text).toString("base64") })
  const out = [
    event("begin", { path: { text: "./a" } }),
    event("match", { path: { text: "./a/./b" }, lines: { text: "x\r\n" }, line_number: 3 }),
    event("context", { path: base64("./c"), lines: base64("y\n"), line_number: 4 }),
    event("match", { path: { text: "d" }, lines: { other: 1 }, line_number: 5 }),
    event("end", { path: { text: "./a" }, binary_offset: null }),
    event("end", { path: { text: "./bin" }, binary_offset: 7 }),
    '{"type":"match","data":1}\n',
    '{"type":"match",broken\n',
    "other\n",
  ].join("")
  assert.deepEqual((await played({}, { out })).events, [
    { path: "a/./b", line: 3, text: "x", hit: true },
    { path: "c", line: 4, text: "y", hit: false },
    { path: "d", line: 5, text: "", hit: true },
    { path: "bin", remark: "binary file matches", instead: true },
  ])
})

test("of a line that is too long the file is named", async () => {
  const long = (type: string, path: string) =>
    `{"type":"${type}","data":{"path":${path},"lines":{"text":"${"x".repeat(16_777_216)}\n`
  const remark = "a matching line is over 16.0MB long and is not shown"
  for (const [out, events] of [
    [long("match", '{"text":"./a\\"b"}'), [{ path: 'a"b', remark, instead: false }]],
    [long("match", `{"bytes":"${Buffer.from("./c").toString("base64")}"}`), [{ path: "c", remark, instead: false }]],
    [long("context", '{"text":"./a"}'), []],
    [long("match", "1"), []],
  ] as const)
    assert.deepEqual((await played({}, { out })).events, events)
})

test("files and counts, also with a newline in a name", async () => {
  assert.deepEqual((await played({ mode: "files_with_matches" }, { out: "./a\nb\0./c\0" })).events, [
    { path: "a\nb", count: 1 },
    { path: "c", count: 1 },
  ])
  assert.deepEqual((await played({ mode: "count" }, { out: "./a\nb\u00002\n./c\u000010\n" })).events, [
    { path: "a\nb", count: 2 },
    { path: "c", count: 10 },
  ])
})

test("a filter of names applies to folders only", async () => {
  const globFilter = {
    flags: ["--glob", "*.x"],
    matches: (path: string) => path.endsWith(".x"),
  } as Search["globFilter"]
  const out = "./a.x\0./b.y\0"
  const folder = await played({ mode: "files_with_matches", globFilter }, { out })
  assert.deepEqual(folder.events, [{ path: "a.x", count: 1 }])
  assert.ok(folder.commands[0]?.includes("*.x"))
  const file = await played({ mode: "files_with_matches", globFilter, file: "b.y" }, { out })
  assert.deepEqual([file.events.length, file.commands[0]?.includes("*.x")], [2, false])
})

test("whether any file was searched, and what could not be", async () => {
  const summary = (searches: number) => `{"data":{"stats":{"searches":${searches}}},"type":"summary"}\n`
  assert.deepEqual((await played({}, { out: summary(2) })).found, { any: true, trouble: "" })
  assert.deepEqual((await played({}, { out: summary(0), code: 1 })).found, { any: false, trouble: "" })
  assert.deepEqual((await played({}, { out: `x${summary(2)}` })).found, { any: false, trouble: "" })
  assert.deepEqual((await played({}, { err: "rg: ./a: denied\nmore", code: 2 })).found, {
    any: false,
    trouble: "./a: denied",
  })
  assert.deepEqual((await played({}, { err: "rg: ./a: denied", code: 0 })).found, { any: false, trouble: "" })
  assert.equal((await played({}, { code: 127 })).found, null)
})

test("look-around and back-references are searched by the other engine, once", async () => {
  for (const kind of ["look-around", "backreferences"]) {
    const err = `rg: x\nerror: ${kind}, including look-ahead, is not supported`
    const { commands, found } = await played({}, { err, code: 2 }, { code: 1 })
    assert.deepEqual([commands.length, commands[1]?.[0], found], [2, "--pcre2", { any: false, trouble: "" }])
    const twice = await played({}, { err, code: 2 }, { err, code: 2 })
    assert.equal(twice.commands.length, 2)
  }
})

test("an invalid pattern or glob is refused", async () => {
  for (const err of [
    "regex parse error:",
    "regex could not be compiled",
    'the literal "\\n" is not allowed in a regex',
    "PCRE2: error compiling pattern",
  ])
    await assert.rejects(played({}, { err, code: 2 }), { name: "Refusal" })
  await assert.rejects(played({}, { err: "error parsing glob '['", code: 2 }), { name: "Refusal" })
})
