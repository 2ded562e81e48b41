import assert from "node:assert/strict"
import { test } from "node:test"
import { ownChangelog } from "../../src/slash/own-changelog.ts"
import { conversation } from "./conversation.ts"

const write = (path: string, content: string) => ({ calls: [{ name: "write", args: { path, content } }] })

test("/output shows the result of the last tool call, or of the Nth from the end of the branch", async (t) => {
  const { lines, prompt, typed } = await conversation(t, {
    turns: [write("a.txt", "1\n"), { calls: [{ name: "read", args: { path: "a.txt" } }] }, { text: "Done." }],
  })
  assert.deepEqual(await lines("/output"), ["There is no such tool call."])
  await prompt("go")
  const [head, ...read] = await lines("/output")
  assert.equal(head, "read:")
  assert.ok(read.join("\n").includes("1") && read.at(-1) !== "")
  assert.deepEqual(await lines("/output 1"), [head, ...read])
  assert.equal((await lines("/output 2"))[0], "write:")
  assert.deepEqual(await lines("/output 3"), ["There is no such tool call."])
  for (const word of ["0", "-1", "1.5", "x"])
    assert.deepEqual(await lines(`/output ${word}`), ["Type a number: /output 2 shows the last call but one."], word)
  const result = await typed("/output")
  assert.ok(result.kind === "output" && JSON.stringify(result.data).includes('"toolCallId"'))
})

test("/copy copies the last answer that has a text", async (t) => {
  const { lines, prompt, copied } = await conversation(t, { turns: [{ text: "One." }, write("a", "b"), { text: "" }] })
  assert.deepEqual([await lines("/copy"), copied], [["There is no answer yet."], []])
  await prompt("go")
  await prompt("again")
  assert.deepEqual([await lines("/copy"), copied], [["Copied."], ["One."]])
})

test("/name names the session and shows its name", async (t) => {
  const { lines } = await conversation(t)
  assert.deepEqual(await lines("/name"), ["The session has no name."])
  assert.deepEqual(await lines("/name two words"), ["The session is called two words."])
  assert.deepEqual(await lines("/name"), ["The session is called two words."])
})

test("/plan and /permissions set the level; /plan off returns to the first one", async (t) => {
  const { lines, replies, asked, controller } = await conversation(t, { spec: { permission: "auto" } })
  const level = () => controller.current.session.permission
  assert.deepEqual(await lines("/plan off"), ["The level is not plan."])
  assert.deepEqual(await lines("/plan x"), ["/plan starts it, /plan off ends it."])
  assert.deepEqual([await lines("/plan"), level()], [["plan: nothing is changed."], "plan"])
  const autoText = "auto: edits in the workspace run; anything outside of it needs permission."
  assert.deepEqual([await lines("/plan off"), level()], [[autoText], "auto"])
  assert.deepEqual(await lines("/permissions none"), ["There is no level none, only plan, ask, auto, full."])
  assert.deepEqual([await lines("/permissions FULL"), level()], [["full: everything runs without permission."], "full"])
  assert.deepEqual(await lines("/approvals"), ["full: everything runs without permission."])
  assert.deepEqual(asked[0], {
    question: "What may run without permission?",
    rows: [
      "plan: nothing is changed",
      "ask: changes need permission",
      "auto: edits in the workspace run; anything outside of it needs permission",
      "full: everything runs without permission (current)",
    ],
    at: undefined,
    preview: [],
  })
  replies.push(1)
  assert.deepEqual([await lines("/permissions"), level()], [["ask: changes need permission."], "ask"])
})

test("/plan off in a session that began with plan selects ask", async (t) => {
  const { lines } = await conversation(t, { spec: { permission: "plan" } })
  assert.deepEqual(await lines("/plan off"), ["ask: changes need permission."])
})

test("/tools shows the tools and selects others, separated by commas or blanks", async (t) => {
  const { lines, controller } = await conversation(t)
  assert.deepEqual(await lines("/tools"), ["read, write, edit, bash, grep, find, ls"])
  assert.deepEqual(await lines("/tools read，bash、 ls,"), ["From now on: read, bash, ls"])
  assert.deepEqual(await lines("/tools"), ["read, bash, ls"])
  assert.deepEqual(await lines("/tools gerp"), ['gong: there is no tool "gerp". Did you mean grep?'])
  const none = await controller.call("set_tools", {
    tools: ["-read", "-write", "-edit", "-bash", "-grep", "-find", "-ls"],
  })
  assert.equal(none.ok, false)
})

test("/jobs lists background jobs, shows the output of one, and ends it", async (t) => {
  const command = "echo begun; sleep 60"
  const { lines, prompt, asked, replies } = await conversation(t, {
    turns: [{ calls: [{ name: "bash", args: { command } }] }, { text: "Done." }],
    spec: { set: ["bash.timeout=1"] },
  })
  const usage = ["/jobs N shows the output of a job, /jobs N stop ends it."]
  assert.deepEqual(await lines("/jobs"), ["No job is running."])
  for (const word of ["x", "stop", "1 halt", "1 stop now"]) assert.deepEqual(await lines(`/jobs ${word}`), usage, word)
  assert.deepEqual(await lines("/jobs 7"), ["gong: there is no job 7."])
  assert.deepEqual(await lines("/jobs 7 stop"), ["gong: there is no job 7."])
  await prompt("go")
  assert.deepEqual(await lines("/jobs"), [])
  assert.equal(asked[0]?.question, "Which job?")
  assert.deepEqual(asked[0]?.rows, [`1  ${command}`])
  replies.push(0)
  const shown = await lines("/bashes")
  assert.equal(shown.at(-1), "/jobs 1 stop ends it.")
  assert.deepEqual(await lines("/jobs １"), shown, "a full-width digit")
  assert.deepEqual(await lines("/jobs 1 stop"), ["Job 1 has ended."])
  assert.deepEqual(await lines("/jobs"), ["No job is running."])
})

test("/cost counts requests by model; a model without a price is named", async (t) => {
  const { lines, prompt } = await conversation(t, { turns: [{ text: "x", usage: { input: 1234, output: 56 } }] })
  assert.deepEqual(await lines("/cost"), ["This session has no requests yet."])
  await prompt("go")
  const [row = "", unknown, ...more] = await lines("/usage")
  assert.match(row, /^custom\/mock +1 request +\S+ in +0 cached +56 out +-$/)
  assert.equal(
    unknown,
    "The cost of custom/mock is unknown. A price in ~/.gong/models.json makes it known (docs/models.md).",
  )
  assert.deepEqual(more, [])
  await prompt("again")
  assert.match((await lines("/cost"))[0] ?? "", / 2 requests /)
})

test("/cost with prices sums the cost of all models", async (t) => {
  const price = { price: { input: 1, output: 2 } }
  const { lines, prompt } = await conversation(t, {
    otherwise: { text: "x", usage: { input: 1_000_000, output: 1_000_000 } },
    files: { "home/models.json": JSON.stringify({ providers: { custom: { models: { mock: price, other: price } } } }) },
  })
  await prompt("go")
  assert.deepEqual((await lines("/cost")).length, 1)
  assert.match((await lines("/cost"))[0] ?? "", /\$3(?:\.0+)?$/)
  assert.match((await lines("/model other"))[0] ?? "", /^The model is now custom\/other; thinking: /)
  await prompt("go")
  const rows = await lines("/cost")
  assert.equal(rows.length, 3)
  assert.match(rows[2] ?? "", /^total +2 requests .*\$6(?:\.0+)?$/)
})

test("/context shows the parts of the window with bars", async (t) => {
  const { lines, prompt } = await conversation(t)
  const names = (rows: readonly string[]) => rows.map((row) => /^(.*?)(?:  |$)/.exec(row)?.[1])
  const before = await lines("/context")
  assert.deepEqual(names(before).slice(0, -1), ["0 messages", "total", "free", "window"])
  assert.match(before[2] ?? "", /^free +128[ ,]?000 +#{40}$/)
  assert.equal(before.at(-1), "About 0 % of the window is used; the counts are estimates.")
  await prompt("x".repeat(64_000))
  const after = await lines("/context")
  assert.deepEqual(names(after).slice(0, -1), ["system prompt", "tools", "2 messages", "total", "free", "window"])
  assert.match(after[0] ?? "", / #$/)
  assert.match(after.at(-1) ?? "", /^About 1[0-9] % of the window is used/)
})

test("/session, /bug and /memory show facts of the session", async (t) => {
  const { lines, controller } = await conversation(t, { files: { "AGENTS.md": "Use tabs.\n" } })
  const { session } = controller.current
  const rows = Object.fromEntries((await lines("/status")).map((line) => line.split(/ {2,}/)))
  const { file, ...facts } = rows
  assert.ok(file?.includes(session.id))
  assert.deepEqual(facts, {
    id: session.id,
    name: "(none)",
    workspace: "$CWD",
    cwd: "$CWD",
    model: "custom/mock",
    thinking: session.selection.thinking,
    permission: "full",
    steps: String(session.history.branch.length),
    runs: "0",
    cost: facts["cost"],
  })
  const bug = await lines("/bug")
  assert.deepEqual(
    bug.slice(0, 4).map((line) => line.replace(/ {2,}/, ": ")),
    ["version: Gong 0", `session: ${session.id}`, "model: custom/mock", "sandbox: off"],
  )
  assert.match(bug[4] ?? "", /^Gong sends nothing\./)
  assert.equal((await lines("/memory"))[0], "$CWD/AGENTS.md  9 bytes")
})

test("a session in memory has no file and cannot be exported or copied", async (t) => {
  const { lines } = await conversation(t, { spec: { tape: { kind: "memory" }, name: "short" } })
  const rows = Object.fromEntries((await lines("/session")).map((line) => line.split(/ {2,}/)))
  assert.deepEqual([rows["file"], rows["name"]], ["(not kept)", "short"])
  assert.deepEqual(await lines("/export a.md"), ["gong: a session in memory cannot be exported."])
  assert.deepEqual(await lines("/export"), ["gong: a session in memory cannot be exported."])
  assert.deepEqual(await lines("/fork"), ["gong: a session in memory cannot be copied."])
})

test("/help, /hotkeys, /skills and /init", async (t) => {
  const { lines, typed } = await conversation(t, {
    files: { "home/skills/ship/SKILL.md": "---\nname: ship\ndescription: Ships it.\n---\nShip.\n" },
  })
  const help = await lines("/help")
  assert.ok(help.some((line) => /^\/jobs \[N \[stop\]\] +background commands: their output, or end one$/.test(line)))
  assert.ok(help.some((line) => /^\/skill:ship +Ships it\. \(skill\)$/.test(line)))
  assert.match(help.at(-2) ?? "", /^Also: .*\/clear = \/new, .*; !COMMAND runs a command, !!COMMAND one that the model/)
  assert.equal(help.at(-1), "Anything else is a message. /hotkeys shows the keys.")
  assert.deepEqual(await lines("/hotkeys"), ["Enter  send", "Esc    stop"])
  assert.deepEqual(await lines("/skills"), ["/skill:ship  Ships it."])
  const init = await typed("/init")
  assert.ok(init.kind === "message" && init.text.endsWith("Name the file's path when you are done."))
  const more = await typed("/init short")
  assert.ok(more.kind === "message" && more.text.endsWith("when you are done.\n\nThe user adds: short"))
  assert.deepEqual(await typed("/quit"), { kind: "quit" })
  assert.deepEqual(await (await conversation(t)).lines("/skills"), ["There are no skills."])
})

test("/changelog shows the newest section with content, at most 40 lines", async (t) => {
  const text = ownChangelog() ?? ""
  assert.match(text, /^# /)
  const shown = await (await conversation(t)).lines("/changelog")
  assert.equal(shown[0], "Gong 0")
  const section =
    text
      .split(/^## /m)
      .slice(1)
      .find((one) => /\n\s*\S/.test(one)) ?? ""
  const all = section.split("\n").filter((line) => line.trim() !== "")
  assert.deepEqual(shown.slice(1, 41), all.slice(0, 40))
  const left = all.length - 40
  assert.deepEqual(shown.slice(41), left > 0 ? [`... and ${left} more lines in CHANGELOG.md`] : [])
})
