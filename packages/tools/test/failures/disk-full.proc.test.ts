import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { linkSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { test } from "node:test"
import { lines, place } from "../workspace.ts"

// Runs in its own process: a file size limit stands for a disk that fills up during a write.
const skip = process.platform === "win32" && "no ulimit"
const tools = fileURLToPath(new URL("../../src/index.ts", import.meta.url))
const limitBlocks = 64

const script = `
const { createAllTools } = await import(process.argv[1])
const [, , cwd, name, args] = process.argv
const context = { signal: new AbortController().signal, onProgress() {} }
const result = await createAllTools(cwd)[name].execute("c", JSON.parse(args), context)
console.log(JSON.stringify([result.isError, result.content[0].text]))
`

/** Runs one call in which no file may exceed the limit. */
function limited(cwd: string, name: string, args: object): unknown {
  const node = [process.execPath, "--input-type=module", "-e", script, tools, cwd, name, JSON.stringify(args)]
  const { stdout, stderr } = spawnSync("bash", ["-c", `ulimit -f ${limitBlocks}; exec "$@"`, "bash", ...node], {
    encoding: "utf8",
  })
  assert.notEqual(stdout, "", stderr)
  return JSON.parse(stdout)
}

const old = lines(100)
const big = "x".repeat(100_000)
const calls = {
  write: { path: "a.txt", content: big },
  edit: { path: "a.txt", edits: [{ oldText: "line 7\n", newText: big }] },
}

for (const [name, args] of Object.entries(calls)) {
  for (const linked of [false, true]) {
    const what = linked ? "a file with two names, written in place" : "a file"
    test(`${name}: without space for ${what}, the old text is intact and no temporary file remains`, { skip }, (t) => {
      const here = place(t)
      here.put("a.txt", old)
      if (linked) linkSync(here.at("a.txt"), here.at("b.txt"))
      const [isError, text] = limited(here.cwd, name, args) as [boolean, string]
      assert.equal(isError, true)
      assert.match(text, /^EFBIG: .*nothing was changed\. Write less, or ask the user/)
      assert.equal(here.text("a.txt"), old)
      assert.deepEqual(readdirSync(here.cwd), linked ? ["a.txt", "b.txt"] : ["a.txt"])
    })
  }
}
