import assert from "node:assert/strict"
import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { createEditTool } from "../../src/index.ts"
import { context, place, messages } from "../workspace.ts"

const script = join(import.meta.dirname, "..", "fixtures", "small-files.ts")

test("[SAFE-23] an edit that cannot be written completely leaves the old file intact and no temporary file", (t) => {
  const here = place(t)
  // If the signal is ignored the limit is reported as an error. The disposition is inherited.
  const limited = ["-c", 'trap "" XFSZ; ulimit -f 64; exec "$@"', "bash", process.execPath, script, here.cwd]
  const run = spawnSync("/bin/bash", limited, { encoding: "utf8", timeout: 60_000 })
  assert.equal(run.status, 0, run.stderr)
  const printed = "the file would be larger than is allowed here; nothing was changed. Write less, or ask the user."
  assert.deepEqual(JSON.parse(run.stdout), {
    "plain.txt": `EFBIG: plain.txt: ${printed} | the old text\n`,
    "linked.txt": `EFBIG: linked.txt: ${printed} | the old text\n`,
    names: ["linked.txt", "other.txt", "plain.txt"],
  })
})

test("a pipe is refused at once", async (t) => {
  const here = place(t)
  execFileSync("mkfifo", [here.at("pipe")])
  const edits = [{ oldText: "a", newText: "b" }]
  const result = await createEditTool(here.cwd).execute("c", { path: "pipe", edits }, context())
  assert.match(messages(result), /^Not a regular file: pipe is a pipe, socket or device/)
})
