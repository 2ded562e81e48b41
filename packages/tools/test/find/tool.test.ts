import assert from "node:assert/strict"
import { test } from "node:test"
import { checkArguments } from "@gong/spec"
import { createMemoryHost } from "../../src/host/memory.ts"
import { globTest, literalOf } from "../../src/search/glob.ts"
import { createFindTool } from "../../src/index.ts"
import { abortedContext, context, place, messages, type TestPlace } from "../workspace.ts"

type Args = Parameters<ReturnType<typeof createFindTool>["execute"]>[1]

async function find(here: TestPlace, args: Args) {
  const result = await createFindTool(here.cwd).execute("c", args, context())
  return { result, text: messages(result), names: messages(result).split("\n\n[")[0]?.split("\n").sort() }
}

function put(here: TestPlace, ...paths: readonly string[]): void {
  for (const path of paths) here.put(path, "")
}

test("[FIND-1.1] [FIND-F.1] hidden and visible files", async (t) => {
  const here = place(t)
  put(here, ".secret/hidden.txt", "visible.txt")
  assert.deepEqual((await find(here, { pattern: "*.txt" })).names, [".secret/hidden.txt", "visible.txt"])
})

test("[FIND-1.2] [FIND-S.05] all folders, relative to the search folder", async (t) => {
  const here = place(t)
  put(here, "a.ex", "lib/b.ex", "lib/deep/c.ex", "d.exs")
  assert.deepEqual((await find(here, { pattern: "**/*.ex" })).names, ["a.ex", "lib/b.ex", "lib/deep/c.ex"])
  assert.deepEqual((await find(here, { pattern: "*.ex", path: "lib" })).names, ["b.ex", "deep/c.ex"])
})

test("[FIND-1.3] [FIND-P.4] without a match, excluded files are mentioned", async (t) => {
  const here = place(t)
  put(here, "a.txt")
  const { result, text } = await find(here, { pattern: "*.xyz" })
  assert.match(text, /^No files found\n\n\[left out: .*\.git/)
  assert.equal(result.details?.result_count, 0)
})

test("[FIND-2.1] [FIND-F.2] [FIND-S.03] ignore files apply, also nested ones and without a repository", async (t) => {
  const here = place(t)
  put(here, "a.txt", "ignored.txt", "sub/inner.txt", "sub/b.txt")
  here.put(".gitignore", "ignored.txt\n")
  here.put("sub/.gitignore", "inner.txt\n")
  assert.deepEqual((await find(here, { pattern: "*.txt" })).names, ["a.txt", "sub/b.txt"])
})

test("[FIND-2.2] [FIND-S.08] [FIND-P.2] the limit keeps the newest results and reports how many more there are", async (t) => {
  const here = place(t)
  for (let at = 1; at <= 8; at++) {
    put(here, `${at}.txt`)
    here.age(`${at}.txt`, 1_000_000 + at)
  }
  const { result, text } = await find(here, { pattern: "*.txt", limit: 5 })
  assert.ok(text.startsWith("8.txt\n7.txt\n6.txt\n5.txt\n4.txt\n\n[5 results limit reached, 3 more. Use limit=10"))
  assert.equal(result.details?.truncated, true)
})

test("[FIND-S.01] [FIND-P.3] 1000 results are shown by default", async (t) => {
  const here = place(t)
  for (let at = 0; at < 1005; at++) put(here, `f${at}.txt`)
  const { result, text } = await find(here, { pattern: "*.txt" })
  assert.equal(result.details?.result_count, 1000)
  assert.match(text, /1000 results limit reached, 5 more/)
})

test("[FIND-3.1] a pattern of the wrong type fails the schema", async () => {
  for (const pattern of [null, []])
    assert.equal((await checkArguments(createFindTool("/").parameters, { pattern })).ok, false)
})

test("[FIND-P.1] build output is excluded only in its ecosystem", async (t) => {
  const here = place(t)
  put(here, ".git/a.txt", "node_modules/a.txt", "_build/a.txt", "deps/a.txt", "src/deps/a.txt", "mix.exs")
  assert.deepEqual((await find(here, { pattern: "*.txt" })).names, ["src/deps/a.txt"])
  const plain = place(t)
  put(plain, "_build/a.txt", "deps/a.txt")
  assert.deepEqual((await find(plain, { pattern: "*.txt" })).names, ["_build/a.txt", "deps/a.txt"])
})

test("[FIND-S.02] the arguments of ripgrep", async () => {
  const calls: (readonly string[])[] = []
  const host = createMemoryHost({
    cwd: "/w",
    exec: async (command) => {
      calls.push(Array.isArray(command) ? command : [])
      return { code: 1, signal: null }
    },
  })
  await createFindTool("/w", { host, rgPath: "/rg" }).execute("c", { pattern: "*" }, context())
  for (const flag of ["--files", "--hidden", "--no-require-git", "--color=never"])
    assert.ok(calls[0]?.includes(flag), flag)
  assert.ok(!calls[0]?.some((flag) => flag.startsWith("--no-ignore")))
})

test("[FIND-S.02] above 2000 matches the first search ends and ripgrep sorts", async () => {
  for (const { count, ends } of [
    { count: 2000, ends: [false] },
    { count: 2001, ends: [true, false] },
  ]) {
    const ended: boolean[] = []
    const sorts: boolean[] = []
    const host = createMemoryHost({
      cwd: "/w",
      exec: async (command, { signal, onData }) => {
        sorts.push(command.includes("--sortr=modified"))
        onData(Buffer.from(Array.from({ length: count }, (_, at) => `${at}.txt\0`).join("")), "stdout")
        ended.push(signal.aborted)
        return { code: 0, signal: null }
      },
    })
    const tool = createFindTool("/w", { host, rgPath: "/rg" })
    const { details } = await tool.execute("c", { pattern: "*.txt", limit: 3000 }, context())
    assert.deepEqual([ended, sorts], [ends, ends.map((_, at) => at === 1)])
    assert.deepEqual([details?.total, details?.result_count], [count, count])
  }
})

test("[FIND-S.06] directories are found and end with a slash", async (t) => {
  const here = place(t)
  put(here, "src/parts/a.txt")
  assert.deepEqual((await find(here, { pattern: "parts" })).names, ["src/parts/"])
})

test("[FIND-S.07] [TRUNC-S.10] the list is truncated by bytes only", async (t) => {
  const here = place(t)
  for (let at = 0; at < 300; at++) put(here, `${String(at).padStart(200, "x")}.txt`)
  here.age(`${"0".padStart(200, "x")}.txt`, 4_000_000_000)
  assert.match((await find(here, { pattern: "*.txt" })).text, /^x+0\.txt\n.*\n\n\[50\.0KB limit reached/s)
  const files = Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`/w/${at}`, ""]))
  const host = createMemoryHost({ cwd: "/w", files })
  const short = await createFindTool("/w", { host }).execute("c", { pattern: "*", limit: 3000 }, context())
  assert.equal(messages(short).split("\n").length, 2500)
})

test("with too many matches for stat, ripgrep sorts", async (t) => {
  const here = place(t)
  for (let at = 0; at < 2100; at++) put(here, `d${at % 7}/${at}.txt`)
  here.age("d3/1522.txt", 4_000_000_000)
  const { result, text } = await find(here, { pattern: "*.txt", limit: 3 })
  assert.equal(result.details?.total, 2100)
  assert.ok(text.startsWith("d3/1522.txt\n"))
})

test("files and directories are sorted together by time", async (t) => {
  const here = place(t)
  put(here, "a/old.txt", "new-a.txt", "a-dir/x")
  for (const [at, path] of ["a/old.txt", "a-dir", "new-a.txt", "a"].entries()) here.age(path, 1_000_000 + at)
  assert.equal((await find(here, { pattern: "{a*,*.txt}" })).text, "a/\nnew-a.txt\na-dir/\na/old.txt")
})

test("the text that every matching path contains", () => {
  const cases: readonly [string, string][] = [
    ["*.test.ts", ".test.ts"],
    ["src/**/a", "src/"],
    ["**/parts", "parts"],
    ["{a,b}.ts", ".ts"],
    ["[]x]yz*\\*ab", "yz"],
    ["*", ""],
    ["./lib/?", "lib/"],
  ]
  for (const [glob, literal] of cases) assert.equal(literalOf(glob), literal, glob)
})

test("[FIND-S.09] a missing folder, and a file instead of a folder", async (t) => {
  const here = place(t)
  put(here, "a.txt")
  const cases = { nix: /Path not found: nix/, "a.txt": /Not a directory: a\.txt/ }
  for (const [path, words] of Object.entries(cases)) {
    const result = await createFindTool(here.cwd).execute("c", { pattern: "*", path }, context())
    assert.equal(result.isError, true)
    assert.match(messages(result), words)
  }
})

test("[FIND-S.10] an abort ends the search", async () => {
  const unasked = () => Promise.reject(new Error("the host was asked"))
  const before = await createFindTool("/", { host: unasked }).execute("c", { pattern: "*" }, abortedContext())
  assert.deepEqual([before.isError, messages(before)], [true, "Operation aborted"])

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
  const tool = createFindTool("/w", { host, rgPath: "/rg" })
  const during = await tool.execute("c", { pattern: "*" }, context({ signal: controller.signal }))
  assert.equal(killed, true)
  assert.deepEqual([during.isError, messages(during)], [true, "Operation aborted"])
})

test("globs", () => {
  const cases: readonly [string, string, boolean][] = [
    ["*.ts", "a/b.ts", true],
    ["*.ts", "a.tsx", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/x/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/x/y/a.ts", true],
    ["**/a", "a", true],
    ["a/**", "a/b/c", true],
    ["?.{js,ts}", "x.js", true],
    ["?.{js,ts}", "xx.js", false],
    ["[a-c]1", "b1", true],
    ["[!a-c]1", "b1", false],
    ["a+(b).txt", "a+(b).txt", true],
    ["*[你好]*", "x你.md", true],
    ["./a.ts", "a.ts", true],
    ["\\*", "*", true],
  ]
  for (const [glob, path, fits] of cases) assert.equal(globTest(glob)(path), fits, `${glob} ${path}`)
})
