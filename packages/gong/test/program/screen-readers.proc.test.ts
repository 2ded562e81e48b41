import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { converse, leave } from "./screen.ts"
import { skip } from "./terminal.ts"

test("/diff lists changed files, shows the diff of one, and undoes its changes after a yes", { skip }, async (t) => {
  const shown = await converse(t, { args: ["--yolo"] })
  shown.stage.write({ "a.txt": "one\ntwo\n", "b.txt": "alpha\n" })
  const edit = (path: string, oldText: string, newText: string) => ({
    name: "edit",
    args: { path, edits: [{ oldText, newText }] },
  })
  shown.stage.server.begin([
    { calls: [edit("a.txt", "two", "zwei"), edit("b.txt", "alpha", "beta")] },
    { text: "Done." },
  ])
  shown.terminal.type("go\r")
  await shown.shows("Done.")
  shown.terminal.type("/diff\r")
  const list = await shown.shows(/^> a\.txt {2}\+1 -1$/m)
  assert.ok(list.includes("  b.txt  +1 -1") && list.includes("Changed files"), list.join("\n"))
  shown.terminal.type("b.t\r")
  const rows = await shown.shows(/^b\.txt · rows 1-\d+ of \d+ · u undoes these changes · /m)
  assert.ok(rows.includes("-alpha") && rows.includes("+beta"), rows.join("\n"))
  shown.terminal.type("u")
  await shown.shows("Undo the changes of b.txt?")
  await sleep(450)
  shown.terminal.type("y")
  await shown.shows(/restored {2}.*b\.txt/)
  assert.deepEqual([shown.stage.read("a.txt"), shown.stage.read("b.txt")], ["one\nzwei\n", "alpha\n"])
  await shown.shows(/^> a\.txt {2}\+1 -1$/m)
  shown.terminal.type("\u001b")
  await shown.shows(/^> $/m)
  shown.terminal.type("/undo c.txt\r")
  await shown.shows("The session has no changes in c.txt.")
  shown.terminal.type("/undo\r")
  await shown.shows(/restored {2}.*a\.txt/)
  shown.terminal.type("/diff\r")
  await shown.shows("The session has no changes.")
  await leave(shown)
})
