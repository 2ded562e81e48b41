import assert from "node:assert/strict"
import { chmodSync } from "node:fs"
import { join } from "node:path"
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

test("Ctrl+X B continues a command in the background; /jobs shows its output and ends it", { skip }, async (t) => {
  const shown = await converse(t, { args: ["--yolo"] })
  const command = "echo listening; sleep 60"
  shown.stage.server.begin([{ calls: [{ name: "bash", args: { command } }] }, { text: "It runs." }])
  shown.terminal.type("go\r")
  await shown.shows(/^ {4}listening$/m)
  shown.terminal.type("\u0018")
  await shown.shows("b background")
  shown.terminal.type("b")
  await shown.shows("It runs.")
  await shown.shows(`job 1: ${command}`)
  const sent = JSON.stringify(shown.stage.server.requests.at(-1)?.body)
  assert.match(sent, /Still running after \d+ s; it goes on as job 1/)
  shown.terminal.type("\u0018b")
  await shown.shows("no command is running")
  shown.terminal.type("/jobs")
  await shown.shows("· 1 job")
  shown.terminal.type("\r")
  await shown.shows(`> 1  ${command}`)
  shown.terminal.type("\r")
  await shown.shows(/^listening\n\/jobs 1 stop ends it\.$/m)
  shown.terminal.type("/jobs 1 stop\r")
  await shown.shows("Job 1 has ended.")
  shown.terminal.type("/jobs 2 stop\r")
  await shown.shows("there is no job 2.")
  shown.terminal.type("/jobs\r")
  await shown.shows("No job is running.")
  await leave(shown)
})

test("the list of sessions shows the last exchange of the selected one, renames and removes", { skip }, async (t) => {
  const shown = await converse(t)
  for (const [message, answer] of [
    ["first question", "First answer."],
    ["second question", "Second answer."],
  ] as const) {
    shown.stage.server.begin([{ text: answer }])
    shown.terminal.type(`${message}\r`)
    await shown.shows(answer)
    shown.terminal.type("/new\r")
  }
  // It is taken when the command before is complete.
  shown.terminal.type("\u000c/resume\r")
  await shown.shows(
    /^> .*second question\n {2}.*first question\n\/ type to filter .*Ctrl\+D deletes · Ctrl\+R renames/m,
  )
  await shown.shows(/^ {6}> second question\n {6}Second answer\.$/m)
  shown.terminal.type("\u001b[B")
  await shown.shows(/^ {6}> first question\n {6}First answer\.$/m)
  shown.terminal.type("\u0012")
  await shown.shows("New name:")
  shown.terminal.type("the old one\r")
  await shown.shows(/^> .*the old one$/m)
  shown.terminal.type("\u001b[A\u0004")
  await shown.shows('Move "second question" to the trash?')
  await sleep(450)
  shown.terminal.type("y")
  await shown.shows(/^Which session\?\n> .*the old one\n\/ type/m)
  assert.equal(shown.stage.sessions().length, 2, "the trash is elsewhere")
  shown.terminal.type("\r")
  await shown.shows("First answer.")
  await shown.shows("the old one, last active")
  await leave(shown)
})

test(
  "in the transcript y copies a message as it was written, v opens it in the editor, and the reader stays",
  { skip },
  async (t) => {
    const shown = await converse(t, {
      prepare: (stage) => {
        stage.write({ "edit.sh": '#!/bin/sh\ncp "$1" seen.txt\nclear\necho EDITING\n' })
        chmodSync(join(stage.repo, "edit.sh"), 0o755)
        return { ...stage, env: { ...stage.env, VISUAL: "", EDITOR: `${stage.repo}/edit.sh` } }
      },
    })
    shown.stage.server.begin([{ text: "The **bold** answer." }])
    shown.terminal.type("go\r")
    await shown.shows("The bold answer.")
    shown.terminal.type("\u000f")
    await shown.shows(/^transcript · rows/m)
    shown.terminal.type("y")
    await shown.shows(/^transcript .*copied/im)
    assert.ok(
      shown.terminal.text.includes(`\u001b]52;c;${Buffer.from("The **bold** answer.").toString("base64")}\u0007`),
    )
    const before = shown.terminal.text.length
    shown.terminal.type("v")
    await shown.terminal.until("EDITING")
    await shown.shows(/^transcript · rows/m)
    assert.match(shown.terminal.text.slice(before), /\[\?1049l[^]*EDITING[^]*\[\?1049h/)
    assert.equal(shown.stage.read("seen.txt").trim(), "The **bold** answer.")
    shown.terminal.type("q")
    await shown.shows(/^> $/m)
    await leave(shown)
  },
)
