import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createReadStream, existsSync, readFileSync, watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test, type TestContext } from "node:test"
import type { Turn } from "@gong/testing/model-server"
import { killDescendant } from "@gong/testing/processes"
import { openStage } from "./harness.ts"
import { openTerminal, skip } from "./terminal.ts"
import { tether } from "./tether.ts"

const evil = "\u001b]0;evil\u0007\u001b[31mred\u009b31m\u202e"

test("[AGENT-S.30] a conversation: prompt, answers, multi-line messages, Ctrl+D exits", { skip }, async (t) => {
  const stage = await openStage(t, {
    otherwise: (request) => ({ text: `You said ${JSON.stringify(asked(request.body))}.` }),
  })
  const terminal = openTerminal(t, stage, [])
  await terminal.until("> ")
  assert.match(terminal.text, /Gong 0\.1\.0 · \S+repo · custom\/mock from GONG_API_KEY · ask · sandbox: off/)
  terminal.type("hello\r")
  await terminal.until('You said "hello".')
  terminal.type('"""\rone\rtwo\r"""\r')
  await terminal.until('You said "one\\ntwo".')
  terminal.type("a\\\rb\r")
  await terminal.until('You said "a\\nb".')
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
  assert.equal(stage.entries().filter(({ type }) => type === "run_end").length, 3)
})

test("/undo restores changed files, and is not sent to the model", { skip }, async (t) => {
  const edits = [{ oldText: "one", newText: "two" }]
  const stage = await openStage(t, {
    turns: [{ calls: [{ name: "edit", args: { path: "a.txt", edits } }] }, { text: "Changed." }],
  })
  const file = join(stage.repo, "a.txt")
  writeFileSync(file, "one\n")
  const terminal = openTerminal(t, stage, ["--yolo"])
  await terminal.until("> ")
  terminal.type("change it\r")
  await terminal.until("Changed.")
  await terminal.until("> ")
  assert.equal(readFileSync(file, "utf8"), "two\n")
  terminal.type("/undo\r")
  await terminal.until("restored  ")
  await terminal.until("> ")
  assert.equal(readFileSync(file, "utf8"), "one\n")
  terminal.type("/undo\r")
  await terminal.until("has no file changes to undo")
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
  assert.equal(stage.server.requests.length, 2)
})

test("after a run the session is indexed while the next message is awaited", { skip }, async (t) => {
  const stage = await openStage(t, { otherwise: { text: "The discount is subtracted twice." } })
  const terminal = openTerminal(t, stage, [])
  await terminal.until("> ")
  const watcher = watch(stage.gongHome)
  t.after(() => watcher.close())
  const made = new Promise<void>((resolve) => {
    watcher.on("change", (_, name) => name === "index.db" && resolve())
  })
  assert.ok(!existsSync(join(stage.gongHome, "index.db")), "not before the first request")
  terminal.type("hello\r")
  await terminal.until("subtracted twice.")
  await terminal.until("> ")
  await made
  terminal.type("\u0004")
  assert.equal(await terminal.ended, 0)
  const db = new DatabaseSync(join(stage.gongHome, "index.db"), { readOnly: true })
  t.after(() => db.close())
  assert.deepEqual({ ...db.prepare("SELECT count(*) AS n FROM sessions").get() }, { n: 1 })
  assert.doesNotMatch(terminal.text, /index|sqlite/i)
})

test(
  "permission: the complete command is shown, y runs it, n does not; input typed before the question is no answer",
  { skip },
  async (t) => {
    const command = `touch first.txt\n${"# ".padEnd(200, "x")}\ntouch second.txt`
    const stage = await openStage(t, {
      turns: [
        { calls: [{ name: "bash", args: { command } }], delayMs: 0 },
        { text: "Did it." },
        { calls: [{ name: "bash", args: { command: "touch third.txt" } }] },
        { text: "So not." },
      ],
    })
    const terminal = openTerminal(t, stage, [])
    await terminal.until("> ")
    terminal.type("go\ry\r")
    await terminal.until("[e]xplain: ")
    assert.match(terminal.text, /touch first\.txt[\s\S]*x{50}[\s\S]*touch second\.txt[\s\S]*why: /)
    assert.equal(existsSync(join(stage.repo, "first.txt")), false)
    terminal.type("y\r")
    await terminal.until("Did it.")
    assert.ok(existsSync(join(stage.repo, "second.txt")))
    await terminal.until("[e]xplain: ")
    terminal.type("e\r")
    await terminal.until("Reason: ")
    terminal.type("not today\r")
    await terminal.until("So not.")
    assert.equal(existsSync(join(stage.repo, "third.txt")), false)
    assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /The user said: not today/)
    await terminal.until("> ")
    terminal.type("\u0004")
    assert.equal(await terminal.ended, 0)
  },
)

test(
  "Ctrl+C aborts the run and its command, and the conversation continues; twice exits with 130",
  { skip },
  async (t) => {
    const held = await tether(t)
    const stage = await openStage(t, {
      turns: [{ calls: [{ name: "bash", args: { command: held.command } }] }, { text: "Still here." }],
    })
    const terminal = openTerminal(t, stage, ["--yolo", "wait"])
    await held.held
    terminal.type("\u0003")
    await held.released
    await terminal.until("Stopped.")
    await terminal.until("> ")
    terminal.type("and now?\r")
    await terminal.until("Still here.")
    await terminal.until("> ")
    terminal.type("\u0003\u0003")
    assert.equal(await terminal.ended, 130)
  },
)

test("SIGTERM while idle exits with 143", { skip }, async (t) => {
  const stage = await openStage(t, {
    turns: [{ calls: [{ name: "bash", args: { command: "echo $PPID" } }] }, { text: "That." }],
  })
  const terminal = openTerminal(t, stage, ["--yolo", "who are you?"])
  await terminal.until("That.")
  await terminal.until("> ")
  const result = stage.entries().find((entry) => entry.type === "message" && entry.message.role === "tool")
  const pid = /\d+/.exec(JSON.stringify(result?.type === "message" ? result.message.content : ""))?.[0]
  assert.ok(killDescendant(Number(pid), "SIGTERM"))
  assert.equal(await terminal.ended, 143)
})

// The first process of a terminal gets SIGHUP when its window is closed; one started by a shell may only notice that
// the terminal is gone. A wait for the end includes all processes that inherited the pipe.
for (const [who, shell, status] of [
  ["with a signal", 'exec "$@" 2>err.txt 9>alive', ""],
  ["without one", 'trap : HUP; "$@" 2>err.txt 9>alive; echo $? >status.txt', "129\n"],
] as const) {
  test(
    `the terminal window is closed during a command, ${who}: the run ends and its end is stored`,
    { skip },
    async (t) => {
      const held = await tether(t)
      const stage = await openStage(t, { turns: [{ calls: [{ name: "bash", args: { command: held.command } }] }] })
      execFileSync("mkfifo", [join(stage.repo, "alive")])
      const over = once(createReadStream(join(stage.repo, "alive")).resume(), "close")
      const written = status === "" ? over : made(t, stage.repo, "status.txt")
      const terminal = openTerminal(t, stage, ["--yolo"], shell)
      await terminal.until("> ")
      terminal.type("go\r")
      await held.held
      terminal.close()
      await held.released
      await over
      await written
      assert.doesNotMatch(stage.read("err.txt"), /EIO|GONG_DEBUG/)
      const end = stage.entries().find((entry) => entry.type === "run_end")
      assert.equal(end?.type === "run_end" && end.status, "interrupted")
      if (status !== "") assert.equal(stage.read("status.txt"), status)
    },
  )
}

test("escape sequences in texts, commands, names and errors never reach the terminal", { skip }, async (t) => {
  const turns: readonly Turn[] = [
    {
      thinking: evil,
      text: `model ${evil}`,
      delta: 1,
      calls: [{ name: "bash", args: { command: `printf 'out ${evil}'; touch ${evil}` } }],
    },
    {
      calls: [
        { name: "read", args: { path: `name-${evil}` } },
        { name: `tool-${evil}`, args: {} },
      ],
    },
    { fault: { kind: "status", status: 500, message: `error ${evil}` } },
  ]
  const stage = await openStage(t, { otherwise: { text: "x" } })
  stage.write({ [`${stage.gongHome}/settings.json`]: '{"retry.baseMs": 1}' })
  stage.server.begin(turns)
  const terminal = openTerminal(t, stage, [`prompt ${evil}`])
  await terminal.until("[e]xplain: ")
  terminal.type("y\r")
  await terminal.until("custom failed")
  await terminal.until("> ")
  terminal.type("\u0004")
  await terminal.ended
  // A dumb terminal gets no escape sequence of ours: any sequence found is foreign.
  assert.deepEqual(
    [..."\u001b\u0007\u009b\u202e"].filter((character) => terminal.text.includes(character)),
    [],
  )
  assert.match(terminal.text, /model ␛\]0;evil/)
})

/** Resolves when a file has appeared and has been written. */
function made(t: TestContext, folder: string, name: string): Promise<void> {
  const watcher = watch(folder)
  t.after(() => watcher.close())
  return new Promise((resolve) => {
    watcher.on(
      "change",
      () => existsSync(join(folder, name)) && readFileSync(join(folder, name)).length > 0 && resolve(),
    )
  })
}

/** The last message of the user. */
function asked(body: unknown): string {
  const { messages } = body as { messages: readonly { role: string; content: string }[] }
  return messages.findLast(({ role }) => role === "user")?.content ?? ""
}
