import assert from "node:assert/strict"
import { test } from "node:test"
import { checkArguments } from "@gong/spec"
import { createLocalHost } from "../../src/host/local.ts"
import { createMemoryHost } from "../../src/host/memory.ts"
import { createFindTool, createGrepTool } from "../../src/index.ts"
import { abortedContext, context, lines, place, messages, type TestPlace } from "../workspace.ts"

type Args = Parameters<ReturnType<typeof createGrepTool>["execute"]>[1]

async function grep(here: TestPlace, args: Args) {
  const result = await createGrepTool(here.cwd).execute("c", args, context())
  return { result, text: messages(result) }
}

test("[GREP-1.1] [GREP-E.1] [GREP-P.2] a match in a file with its line number", async (t) => {
  const here = place(t)
  here.put("file.txt", "a\nb\nhello world\n")
  assert.equal((await grep(here, { pattern: "hello", path: "file.txt" })).text, "file.txt:3: hello world")
})

test("[GREP-1.2] [GREP-P.6] [GREP-S.10] [GREP-S.02] matches of a folder, file by file", async (t) => {
  const here = place(t)
  here.put("a.txt", "test 1\nx\ntest 2\n")
  here.put("b/c.txt", "a test\n")
  here.put("d.txt", "nothing\n")
  const { text } = await grep(here, { pattern: "test" })
  assert.equal(text, "a.txt:1: test 1\na.txt:3: test 2\nb/c.txt:1: a test")
})

test("[GREP-1.3] no match", async (t) => {
  const here = place(t)
  here.put("a.txt", "x")
  const left = "[left out: what ignore files name, .git, binary files]"
  assert.equal((await grep(here, { pattern: "nonexistent" })).text, `No matches found\n\n${left}`)
})

test("[GREP-2.1] [GREP-E.2] [GREP-S.07] limit 1 with context: the match, its context, the truncation note", async (t) => {
  const here = place(t)
  here.put(
    "src/main.ts",
    lines(10, (line) => `match ${line}`),
  )
  const { text } = await grep(here, { pattern: "match [3-9]", limit: 1, context: 1 })
  assert.equal(
    text,
    "src/main.ts-2- match 2\nsrc/main.ts:3: match 3\nsrc/main.ts-4- match 4\n\n[1 matches limit reached. Use limit=2 for more, or refine pattern]",
  )
})

test("[GREP-2.2] a regex", async (t) => {
  const here = place(t)
  here.put("a.txt", "foo.bar(baz)\nfooxbar(baz)\n")
  assert.equal((await grep(here, { pattern: "foo\\.bar\\(" })).text, "a.txt:1: foo.bar(baz)")
})

test("[GREP-2.3] a literal", async (t) => {
  const here = place(t)
  here.put("a.txt", "foo.bar(baz)\nfooxbar(baz)\n")
  assert.equal((await grep(here, { pattern: "foo.bar(", literal: true })).text, "a.txt:1: foo.bar(baz)")
})

test("[GREP-2.4] ignoreCase, also as ignore_case", async (t) => {
  const here = place(t)
  here.put("a.txt", "Hello World\n")
  assert.equal((await grep(here, { pattern: "hello", ignoreCase: true })).text, "a.txt:1: Hello World")
  const mapped = createGrepTool("/").mapArguments?.({ pattern: "x", ignore_case: true })
  assert.deepEqual(mapped, { pattern: "x", ignoreCase: true })
})

test("[GREP-3.1] [GREP-S.06] [GREP-P.7] [TRUNC-S.10] a long result is truncated by bytes only", async (t) => {
  const here = place(t)
  here.put(
    "a.txt",
    lines(2500, () => "word"),
  )
  assert.equal((await grep(here, { pattern: "word", limit: 3000 })).text.split("\n").length, 2500)
  here.put(
    "a.txt",
    lines(2500, (line) => `word ${line} ${"x".repeat(40)}`),
  )
  const { result, text } = await grep(here, { pattern: "word", limit: 3000 })
  assert.match(text, /^a\.txt:1: word 1 .*\n\n\[.*50\.0KB limit reached\]$/s)
  assert.doesNotMatch(text, /word 2500 /)
  assert.equal(result.details?.truncated, true)
})

test("[GREP-3.2] a glob restricts the files", async (t) => {
  const here = place(t)
  here.put("a.ex", "x\n")
  here.put("b.js", "x\n")
  assert.equal((await grep(here, { pattern: "x", glob: "*.ex" })).text, "a.ex:1: x")
})

test("[GREP-3.3] binary files are skipped", async (t) => {
  const here = place(t)
  here.put("a.png", Buffer.from("\x89PNG\0\0test\n", "latin1"))
  here.put("b.txt", "test\n")
  assert.equal((await grep(here, { pattern: "test" })).text, "b.txt:1: test")
})

test("[GREP-4.1] a pattern of the wrong type fails the schema", async () => {
  for (const pattern of [null, 5])
    assert.equal((await checkArguments(createGrepTool("/").parameters, { pattern })).ok, false)
})

test("[GREP-P.1] an invalid regex is explained with its position and advice", async (t) => {
  const here = place(t)
  here.put("a.txt", "x\n")
  const advice = "\nEscape special characters with \\, or set literal: true to search for plain text."
  const cases: readonly [string, string][] = [
    ["a(", "unclosed group, at column 2\n  a(\n   ^"],
    ["ab)c", "unopened group, at column 3\n  ab)c\n    ^"],
    ["[z-a]", "invalid character class range, the start must be <= the end, at column 2\n  [z-a]\n   ^"],
    ["a|*y", "repetition operator missing expression, at column 3"],
    ["(?<=a)(", "missing closing parenthesis, at column 7"],
  ]
  for (const [pattern, printed] of cases) {
    const { result, text } = await grep(here, { pattern })
    assert.equal(result.isError, true, pattern)
    assert.ok(text.startsWith(`Invalid regex: ${printed}`), text)
    assert.ok(text.endsWith(advice), text)
  }
  assert.match((await grep(here, { pattern: "a\\nb" })).text, /^A pattern matches within one line/)
  assert.match((await grep(here, { pattern: "x", glob: "*.{ts" })).text, /^Invalid glob: .*\*\.\{ts.*Use one like/)
})

test("look-around and backreferences work with PCRE2", async (t) => {
  const here = place(t)
  here.put("a.txt", "foobar\nfoobaz\nabab\n")
  assert.equal((await grep(here, { pattern: "foo(?!bar)" })).text, "a.txt:2: foobaz")
  assert.equal((await grep(here, { pattern: "(ab)\\1" })).text, "a.txt:3: abab")
})

test("[GREP-P.3] [GREP-P.4] file names, and match counts", async (t) => {
  const here = place(t)
  here.put("a.txt", "x\nx\n")
  here.put("b.txt", "x\n")
  assert.equal((await grep(here, { pattern: "x", outputMode: "files_with_matches" })).text, "a.txt\nb.txt")
  assert.equal((await grep(here, { pattern: "x", outputMode: "count" })).text, "a.txt:2\nb.txt:1")
})

test("[GREP-P.5] before, after and both; -- between groups", async (t) => {
  const here = place(t)
  here.put(
    "a.txt",
    lines(9, (line) => (line === 3 || line === 7 ? "hit" : String(line))),
  )
  assert.equal(
    (await grep(here, { pattern: "hit", after: 1 })).text,
    "a.txt:3: hit\na.txt-4- 4\n--\na.txt:7: hit\na.txt-8- 8",
  )
  assert.equal(
    (await grep(here, { pattern: "hit", before: 1 })).text,
    "a.txt-2- 2\na.txt:3: hit\n--\na.txt-6- 6\na.txt:7: hit",
  )
  assert.equal((await grep(here, { pattern: "hit", context: 9 })).text.split("\n").length, 9)
})

test("[GREP-S.03] [GREP-S.04] the search ends at 100 matches without an error", async (t) => {
  const here = place(t)
  here.put(
    "a.txt",
    lines(150, () => "hit"),
  )
  const { result, text } = await grep(here, { pattern: "hit" })
  assert.equal(result.isError, false)
  assert.equal(result.details?.match_count, 100)
  assert.ok(text.endsWith("\n\n[100 matches limit reached. Use limit=200 for more, or refine pattern]"))
  here.put(
    "a.txt",
    lines(100, () => "hit"),
  )
  assert.ok(!(await grep(here, { pattern: "hit" })).text.includes("limit"))
})

test("[GREP-S.03] ripgrep is ended at match 101", async () => {
  const event = (line: number) =>
    JSON.stringify({
      type: "match",
      data: { path: { text: "a.txt" }, lines: { text: "hit\n" }, line_number: line },
    })
  const ended: boolean[] = []
  const host = createMemoryHost({
    cwd: "/w",
    exec: async (_command, { signal, onData }) => {
      for (let line = 1; line <= 150; line++) {
        onData(Buffer.from(`${event(line)}\n`), "stdout")
        ended.push(signal.aborted)
      }
      return { code: null, signal: "SIGKILL" }
    },
  })
  const result = await createGrepTool("/w", { host, rgPath: "/rg" }).execute("c", { pattern: "hit" }, context())
  assert.equal(result.details?.match_count, 100)
  assert.deepEqual([ended.indexOf(true), ended.lastIndexOf(false)], [100, 99])
})

test("[GREP-S.05] a long line is cut and marked", async (t) => {
  const here = place(t)
  here.put("a.txt", `x${"y".repeat(600)}\n`)
  const { text } = await grep(here, { pattern: "x" })
  assert.equal(
    text,
    `a.txt:1: x${"y".repeat(499)}... [truncated]\n\n[Some lines truncated to 500 chars. Use read tool to see full lines]`,
  )
})

test("a huge line neither fills the memory nor hides other matches", async (t) => {
  const here = place(t)
  here.put("a.js", `hit\n${"}".repeat(17 * 1024 * 1024)}hit\nhit again\n`)
  const { text } = await grep(here, { pattern: "hit" })
  assert.equal(text, "a.js:1: hit\na.js: a matching line is over 16.0MB long and is not shown\na.js:3: hit again")
})

test("a file that turns out to be binary after a match is reported as binary", async (t) => {
  const here = place(t)
  here.put("a.dat", `hit\n${"text\n".repeat(300_000)}\0\n`)
  const local = createLocalHost({ cwd: here.cwd })
  const elsewhere = { ...local, id: "elsewhere", which: async () => null }
  for (const host of [local, elsewhere]) {
    const result = await createGrepTool(here.cwd, { host }).execute("c", { pattern: "hit" }, context())
    assert.equal(messages(result), "a.dat: binary file matches")
  }
})

test("[GREP-S.08] context lines of several matches cost at most one read of their file", async (t) => {
  const here = place(t)
  here.put(
    "a.txt",
    lines(20, (line) => (line % 5 === 0 ? "hit" : "x")),
  )
  const local = createLocalHost({ cwd: here.cwd })
  const reads: string[] = []
  const host = {
    ...local,
    readRange: (path: string, from: number, to?: number) => (reads.push(path), local.readRange(path, from, to)),
  }
  const args = { pattern: "hit", context: 1 }
  const byRipgrep = await createGrepTool(here.cwd, { host }).execute("c", args, context())
  assert.deepEqual(reads, [])
  const elsewhere = { ...host, id: "elsewhere", which: async () => null }
  const byWalking = await createGrepTool(here.cwd, { host: elsewhere }).execute("c", args, context())
  assert.equal(reads.filter((path) => path === here.at("a.txt")).length, 1)
  assert.equal(messages(byWalking), messages(byRipgrep))
})

test("[GREP-S.09] hidden files are searched; .git and ignored files are not", async (t) => {
  const here = place(t)
  for (const path of [".hidden", ".git/config", "ignored.txt", "node_modules/a.js"]) here.put(path, "needle\n")
  here.put(".gitignore", "ignored.txt\nnode_modules/\n")
  assert.equal((await grep(here, { pattern: "needle" })).text, ".hidden:1: needle")
  assert.equal((await grep(here, { pattern: "needle", path: "node_modules" })).text, "node_modules/a.js:1: needle")
})

test("[GREP-S.01] [GREP-S.13] the arguments of ripgrep; a pattern may start with a dash", async (t) => {
  const here = place(t)
  here.put("a.txt", "--files\n")
  assert.equal((await grep(here, { pattern: "--files" })).text, "a.txt:1: --files")
  let argv: readonly string[] = []
  const host = createMemoryHost({
    cwd: "/w",
    exec: async (command) => {
      argv = Array.isArray(command) ? command : []
      return { code: 1, signal: null }
    },
  })
  const tool = createGrepTool("/w", { host, rgPath: "/rg" })
  await tool.execute("c", { pattern: "-x", ignoreCase: true, literal: true, glob: "*.ts" }, context())
  const wanted = ["--json", "--line-number", "--color=never", "--hidden", "--ignore-case", "--fixed-strings"]
  for (const flag of wanted) assert.ok(argv.includes(flag), flag)
  // As a file type: ripgrep's own --glob would include ignored files.
  assert.deepEqual(argv.slice(argv.indexOf("--type-add=gong:*.ts")).slice(0, 2), ["--type-add=gong:*.ts", "-tgong"])
  assert.deepEqual(argv.slice(-3), ["--", "-x", "./"])
  await tool.execute("c", { pattern: "x" }, context())
  const unasked = ["--ignore-case", "--fixed-strings", "-tgong"]
  assert.deepEqual(
    unasked.filter((flag) => argv.includes(flag)),
    [],
  )
})

test("[GREP-S.11] [FIND-S.04] the built-in search is used if ripgrep is missing or cannot run", async () => {
  const files = { "/w/a.txt": "hit\n" }
  const refuse = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
  const places: readonly Parameters<typeof createMemoryHost>[0][] = [
    {},
    { exec: async () => ({ code: 127, signal: null }) },
    { exec: () => refuse("ENOENT") },
    { exec: () => refuse("EACCES") },
  ]
  for (const [at, more] of places.entries()) {
    const host = createMemoryHost({ cwd: "/w", files, ...more })
    const options = { host, ...(at > 0 && { rgPath: "/rg" }) }
    assert.equal(
      messages(await createGrepTool("/w", options).execute("c", { pattern: "hit" }, context())),
      "a.txt:1: hit",
    )
    assert.equal(messages(await createFindTool("/w", options).execute("c", { pattern: "*" }, context())), "a.txt")
  }
})

test("[GREP-S.12] an abort ends ripgrep", async () => {
  const controller = new AbortController()
  let killed = false
  const host = createMemoryHost({
    cwd: "/w",
    exec: async (_command, { signal }) => {
      const ended = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))
      controller.abort()
      await ended
      killed = true
      return { code: null, signal: "SIGKILL" }
    },
  })
  const tool = createGrepTool("/w", { host, rgPath: "/rg" })
  const result = await tool.execute("c", { pattern: "x" }, context({ signal: controller.signal }))
  assert.equal(killed, true)
  assert.deepEqual([result.isError, messages(result)], [true, "Operation aborted"])
  assert.equal(messages(await tool.execute("c", { pattern: "x" }, abortedContext())), "Operation aborted")
})

test("a missing path is reported with advice", async (t) => {
  assert.match((await grep(place(t), { pattern: "x", path: "nix" })).text, /Path not found: nix.*ls/)
})

test("with roots, a search above secrets skips them and a search inside is refused", async (t) => {
  const here = place(t)
  here.put(".ssh/id", "needle\n")
  here.put(".gong/auth.json", "needle\n")
  here.put("work/a.txt", "needle\n")
  const host = createLocalHost({ cwd: here.at("work"), home: here.cwd })
  const tool = createGrepTool(here.at("work"), {
    host,
    roots: [here.at("work")],
    secrets: async () => [here.at(".ssh")],
  })
  const found = await tool.execute("c", { pattern: "needle", path: here.cwd }, context())
  assert.equal(messages(found), "a.txt:1: needle")
  const refused = await tool.execute("c", { pattern: "needle", path: "~/.ssh" }, context())
  assert.equal(refused.status, "refused")
  const open = createGrepTool(here.at("work"), { host })
  assert.equal((await open.execute("c", { pattern: "needle", path: here.cwd }, context())).details?.match_count, 3)
})
