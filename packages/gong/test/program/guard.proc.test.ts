import assert from "node:assert/strict"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import type { PlayedCall } from "@gong/testing/model-server"
import { eventsOf, ofType, openStage, type Run } from "./harness.ts"

const write = (path: string): PlayedCall => ({ name: "write", args: { path, content: "new\n" } })
const bash = (command: string): PlayedCall => ({ name: "bash", args: { command } })
const reported = (run: Run) => ofType(eventsOf(run), "tool_execution_end").map(textOf)

test("write refuses once to replace an unseen file; @file, cat, grep and creating it by a command count as seen", async (t) => {
  const stage = await openStage(t)
  stage.write({ "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n", "d.txt": "four\n" })
  const calls = [bash("cat b.txt"), { name: "grep", args: { pattern: "three" } }, bash("ls a.txt | tee made.txt")]
  const files = ["a.txt", "b.txt", "c.txt", "d.txt", "made.txt"]
  stage.server.begin([{ calls }, { calls: files.map(write) }, { text: "done" }])
  const run = await stage.gong(["--output", "events", "--allow", "bash(tee *)", "rewrite", "@a.txt"])
  assert.deepEqual(
    reported(run)
      .slice(calls.length)
      .map((text) => text.slice(0, 12)),
    ["Successfully", "Successfully", "Successfully", "Not written:", "Successfully"],
  )
  assert.equal(stage.read("d.txt"), "four\n")

  stage.server.begin([{ calls: [write("d.txt"), write("a.txt")] }, { text: "done" }])
  const off = await stage.gong(["--output", "events", "--set", "writeGuard=off", "rewrite"])
  assert.match(reported(off)[0] ?? "", /^Successfully/)
})

test("a file seen by one process may be replaced by the next one of the session", async (t) => {
  const stage = await openStage(t)
  stage.write({ "a.txt": "one\n" })
  stage.server.begin([{ calls: [{ name: "read", args: { path: "a.txt" } }] }, { text: "done" }])
  await stage.gong(["look"])
  stage.server.begin([{ calls: [write("a.txt")] }, { text: "done" }])
  assert.match(reported(await stage.gong(["-c", "--output", "events", "rewrite"]))[0] ?? "", /^Successfully/)
})
