import assert from "node:assert/strict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { namedFiles } from "../../src/trust/named-files.ts"
import { folder } from "@gong/testing/folder"
import { here } from "../here.ts"

const hooked = (...commands: readonly string[]) => `{"hooks": {"Stop": [${JSON.stringify(commands)}]}}`

test("files are named by their path in the folder, in every notation of a command", async (t) => {
  const root = folder(t, { "a.sh": "", "tools/b.sh": "", "tools/c": "", bare: "" })
  mkdirSync(join(root, "d.dir"))
  for (const [word, path] of [
    ["a.sh", "a.sh"],
    ["./a.sh", "a.sh"],
    [".//a.sh", "a.sh"],
    ["/a.sh", "a.sh"],
    ["tools/c", "tools/c"],
    ["$CLAUDE_PROJECT_DIR/a.sh", "a.sh"],
    ["${CLAUDE_PROJECT_DIR}/a.sh", "a.sh"],
    ["$GONG_PROJECT_DIR/tools/b.sh", "tools/b.sh"],
    [`${root}/tools/b.sh`, "tools/b.sh"],
    ["FILE=a.sh", "a.sh"],
    ["(a.sh)", "a.sh"],
    ["x;a.sh&&y", "a.sh"],
    ["`a.sh`|x", "a.sh"],
  ] as const)
    assert.deepEqual(await namedFiles(here, root, hooked(word)), [path], word)
  for (const word of [
    "bare",
    "../a.sh",
    "tools/../a.sh",
    "tools//b.sh",
    "gone.sh",
    "d.dir",
    "xa.sh",
    "$OTHER/a.sh",
    "tools/$CLAUDE_PROJECT_DIR/b.sh",
    "tools/CLAUDE_PROJECT_DIR/b.sh",
  ])
    assert.deepEqual(await namedFiles(here, root, hooked(word)), [], word)
  assert.deepEqual(await namedFiles(here, root, hooked("tools/b.sh a.sh", "a.sh")), ["tools/b.sh", "a.sh"])
})

test("a settings file without hooks names nothing, in any spelling of the key", async (t) => {
  const root = folder(t, { "a.sh": "" })
  for (const [text, names] of [
    [`{"hooks": "a.sh"}`, ["a.sh"]],
    [`{hooks : 'a.sh'}`, ["a.sh"]],
    [`{"statusLine": "a.sh"}`, []],
    [`{"x": "no hooks, a.sh"}`, []],
  ] as const)
    assert.deepEqual(await namedFiles(here, root, text), names, text)
})

test("limits: a hundred files, two thousand words, 500 characters per word", async (t) => {
  const names = Array.from({ length: 101 }, (_, at) => `${at}.sh`)
  const root = folder(t, Object.fromEntries(names.map((name) => [name, ""])))
  assert.deepEqual(await namedFiles(here, root, `"hooks" ${names.join(" ")}`), names.slice(0, 100))
  const behind = (words: number) => namedFiles(here, root, `"hooks" ${"x ".repeat(words)}0.sh`)
  assert.equal((await behind(1_990)).length, 1)
  assert.equal((await behind(2_000)).length, 0)
  const deep = (length: number) => `${"d/".repeat(length / 2 - 2)}f.sh`
  const odd = deep(500).replace("f.sh", "ff.sh")
  const far = folder(t, { [deep(500)]: "", [deep(502)]: "", [odd]: "" })
  assert.deepEqual([deep(500).length, deep(502).length], [500, 502])
  assert.deepEqual(await namedFiles(here, far, hooked(deep(500), odd, deep(502))), [deep(500)])
})

test("files of MCP servers: without an extension, in a folder of their own, as a module, by address", async (t) => {
  const files = ["noext", "dir/index.js", "mod/__main__.py", "sub/s.cjs", "url.mjs", "plain.js"]
  const root = folder(t, Object.fromEntries(files.map((name) => [name, ""])))
  const servers = {
    a: { command: "node", args: ["noext"] },
    b: { command: "node", args: ["dir"] },
    c: { command: "python3", args: ["-m", "mod"] },
    d: { command: "node", args: ["s.cjs"], cwd: "sub" },
    e: { command: "node", args: ["--import", `file://${root}/url.mjs`, "plain"] },
  }
  const named = await namedFiles(here, root, JSON.stringify({ mcpServers: servers }))
  assert.deepEqual(named.toSorted(), files.toSorted())
})
