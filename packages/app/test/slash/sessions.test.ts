import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { conversation } from "./conversation.ts"

const write = (path: string, content: string) => ({ calls: [{ name: "write", args: { path, content } }] })
const background = { calls: [{ name: "bash", args: { command: "sleep 60" } }] }

test("/resume lists the other sessions of the workspace, shows, renames and removes them, and opens one", async (t) => {
  const { lines, prompt, controller, asked, replies, user } = await conversation(t)
  assert.deepEqual(await lines("/resume"), ["There is no other session in this workspace."])
  await prompt("first message")
  const first = controller.current.session.id
  assert.deepEqual(await lines("/new"), [])
  await prompt("second message")
  assert.notEqual(controller.current.session.id, first)
  assert.deepEqual(await lines("/resume"), ["The current session stays open."])
  const [list] = asked
  assert.equal(list?.question, "Which session?")
  assert.equal(list.rows.length, 1)
  assert.match(list.rows[0] ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d {2}first message$/)
  assert.deepEqual(list.preview, ["  > first message", "  Fine."])

  const options: unknown[] = []
  const choose = user.choose
  Object.assign(user, {
    choose: async (...given: Parameters<typeof choose>) => {
      options.push(given[2])
      return null
    },
  })
  await lines("/resume")
  Object.assign(user, { choose })
  const [{ rename, remove, preview }] = options as [Required<NonNullable<Parameters<typeof choose>[2]>>]
  assert.equal(await rename(0), null, "no name was given")
  replies.push("other name")
  assert.match((await rename(0)) ?? "", / {2}other name$/)
  assert.deepEqual(
    asked.slice(1).map(({ question }) => question),
    ["New name: ", "New name: "],
  )
  assert.deepEqual([await rename(7), await remove(7), await preview(7)], [null, false, []])
  assert.equal(await remove(0), false, "not confirmed")
  assert.equal(asked.at(-1)?.question, 'Move "first message" to the trash?')

  const completed = await controller.call("complete", { name: "resume", arguments: first.slice(-6) })
  assert.deepEqual(completed.ok && completed.data.completions.map(({ value }) => value), [first])
  replies.push(0)
  assert.deepEqual(await lines("/resume"), [])
  assert.equal(controller.current.session.id, first)
  assert.deepEqual(await lines(`/resume ${first}`), [`gong: session ${first} is already open.`])
  assert.match((await lines("/resume nothing"))[0] ?? "", /^gong: there is no session "nothing"\. gong sessions lists/)
})

test("a session is removed from the list after a yes", async (t) => {
  const { lines, prompt, controller, user, replies } = await conversation(t)
  await prompt("first message")
  await lines("/new")
  const removed: boolean[] = []
  Object.assign(user, {
    choose: async (_: string, __: readonly string[], { remove }: Parameters<typeof user.choose>[2] = {}) => {
      replies.push(true)
      removed.push((await remove?.(0)) ?? false)
      return null
    },
  })
  await lines("/resume")
  assert.deepEqual(removed, [true])
  assert.deepEqual(await lines("/resume"), ["There is no other session in this workspace."])
  const listed = await controller.call("list_sessions", {})
  assert.ok(listed.ok && listed.data.sessions.every(({ title }) => title !== "first message"))
})

test("/new NAME names the session; with running jobs a yes is needed", async (t) => {
  const { lines, prompt, controller, asked, replies } = await conversation(t, {
    turns: [background, { text: "One." }, background, { text: "Two." }],
    spec: { set: ["bash.timeout=1"] },
  })
  await prompt("go")
  const before = controller.current.session.id
  assert.deepEqual(await lines("/clear"), ["Nothing has changed."])
  assert.equal(asked[0]?.question, "1 job ends with this session: sleep 60. Continue?")
  assert.equal(controller.current.session.id, before)
  await prompt("again")
  assert.deepEqual(await lines("/fork"), ["Nothing has changed."])
  assert.equal(asked[1]?.question, "2 jobs end with this session: sleep 60, sleep 60. Continue?")
  replies.push(true)
  assert.deepEqual(await lines("/new my name"), [])
  assert.deepEqual(await lines("/name"), ["The session is called my name."])
  assert.notEqual(controller.current.session.id, before)
})

test("/tree goes back to an earlier message, and shows the branches; /fork copies the session up to a step", async (t) => {
  const { lines, prompt, controller, asked, replies, typed } = await conversation(t, {
    turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }],
  })
  await prompt("first  message\nmore")
  await prompt("second message")
  const { session } = controller.current
  const leaf = session.history.leaf
  assert.deepEqual(await lines("/tree"), ["Nothing has changed."])
  assert.deepEqual(asked[0], {
    question: "After which message (* is the current branch)?",
    rows: asked[0]?.rows ?? [],
    at: (asked[0]?.rows.length ?? 0) - 1,
    preview: [],
  })
  assert.deepEqual(asked[0]?.rows.slice(-2), ["* first message more", "* second message"])
  replies.push((asked[0]?.rows.length ?? 0) - 2)
  const moved = await lines("/rewind")
  assert.equal(moved[0], "The session continues from there. The previous branch is kept; files are unchanged.")
  assert.deepEqual(moved.slice(2), ["  > first  message", "    more", "  One."])
  assert.notEqual(session.history.leaf, leaf)
  await prompt("x".repeat(80))
  await lines("/tree")
  const rows = asked.at(-1)?.rows ?? []
  assert.deepEqual(rows.map((row) => row.slice(0, 24)).slice(-3), [
    "* first message more",
    "    second message",
    `*   ${"x".repeat(20)}`,
  ])
  assert.ok((rows.at(-1) ?? "").length < 70)
  assert.match((await lines("/tree nowhere"))[0] ?? "", /^gong: .*nowhere/)
  const points = await controller.call("complete", { name: "tree", arguments: "" })
  assert.ok(points.ok && points.data.completions.some(({ about }) => about === "second message"))

  const step = session.history.branch.head(session.history.branch.length - 1).id
  const forked = await typed(`/fork ${step}`)
  assert.equal(forked.kind, "output")
  assert.notEqual(controller.current.session.id, session.id)
  assert.deepEqual(await lines("/fork nowhere"), ["gong: this session has no step nowhere."])
})

test("/tree STEP summary has a summary of the left branch written, with a focus", async (t) => {
  const { lines, prompt, controller, server } = await conversation(t, {
    turns: [{ text: "One." }, { text: "Two." }, { text: "What was tried.\nAnd more." }],
  })
  await prompt("first message")
  const step = controller.current.session.history.leaf
  await prompt("second message")
  const shown = await lines(`/tree ${step} summary the names`)
  assert.equal(shown[0], "The session continues from there. The previous branch is kept; files are unchanged.")
  const at = shown.indexOf("Summary for the model:")
  assert.deepEqual([shown[at - 1], shown[at + 1]], ["", ""])
  assert.ok(
    shown
      .slice(at + 2)
      .join("\n")
      .includes("What was tried.\nAnd more."),
  )
  assert.match(JSON.stringify(server.requests.at(-1)?.body), /the names/)
})

test("/export writes a new file of the name, or one in the home with a number; /share asks first", async (t) => {
  const { lines, prompt, controller, cwd, home, asked, replies, read } = await conversation(t)
  await prompt("hello there")
  const name = `gong-${controller.current.session.id.slice(-8)}`
  assert.deepEqual(await lines("/export out.md"), ["The session is in $CWD/out.md."])
  assert.match(read("out.md"), /hello there/)
  assert.deepEqual(await lines("/export out.md"), ["gong: $CWD/out.md already exists. Give another name: /export FILE"])
  assert.deepEqual(await lines(`/export ${join(cwd, "out.jsonl")}`), ["The session is in $CWD/out.jsonl."])
  assert.match(read("out.jsonl").split("\n")[0] ?? "", /^\{"type":"session"/)
  for (const file of [`${name}.md`, `${name}-2.md`, `${name}-3.md`]) {
    assert.deepEqual(await lines("/export"), [`The session is in $HOME/exports/${file}.`])
    assert.ok(existsSync(join(home, "exports", file)))
  }
  assert.deepEqual(await lines("/share"), ["Nothing was written."])
  assert.equal(
    asked[0]?.question,
    "It contains the whole conversation: texts of files, commands and their output. Write it to a file?",
  )
  replies.push(true)
  assert.deepEqual(await lines("/share"), [
    `The session is in $HOME/exports/${name}-4.md.`,
    "Gong uploads nothing: review the file, then share it yourself.",
  ])
})

test("/compact replaces the older part, /undo compaction restores it", async (t) => {
  const { lines, prompt } = await conversation(t, {
    turns: [{ text: "One. ".repeat(3_000) }, { text: "Two. ".repeat(3_000) }, { text: "The summary." }],
    spec: { set: ["compaction.keepRecentTokens=100"] },
  })
  const none = await lines("/undo compaction")
  assert.match(none[0] ?? "", /^Session \w+ has no compaction to undo\.$/)
  await prompt("first")
  await prompt("second")
  assert.deepEqual(await lines("/compact the names"), [])
  assert.match((await lines("/undo compaction"))[0] ?? "", /^The conversation is restored: \d+ tokens, as before/)
})

test("/undo and /diff of a single file, and their completions", async (t) => {
  const { lines, prompt, controller, read, typed } = await conversation(t, {
    turns: [write("a.txt", "a\n"), write("sub/b.txt", "b\n"), { text: "Done." }],
  })
  await prompt("go")
  assert.deepEqual(await lines("/diff sub/b.txt"), ["--- /dev/null", "+++ $CWD/sub/b.txt", "@@ -0,0 +1,1 @@", "+b"])
  assert.deepEqual(await lines("/diff c.txt"), ["The session has no changes in c.txt."])
  const all = await typed("/diff")
  assert.ok(all.kind === "output" && all.view === "changes")
  const one = await typed("/diff a.txt")
  assert.ok(one.kind === "output" && one.view === undefined)
  const completed = await controller.call("complete", { name: "undo", arguments: "" })
  assert.deepEqual(completed.ok && completed.data.completions.map(({ value }) => value.split("/").at(-1)), [
    "a.txt",
    "b.txt",
    "compaction",
  ])
  assert.deepEqual(await lines("/undo c.txt"), ["The session has no changes in c.txt."])
  assert.deepEqual(await lines("/undo a.txt"), ["restored  $CWD/a.txt"])
  assert.equal(read("sub/b.txt"), "b\n")
  assert.deepEqual(await lines("/redo"), ["repeated  $CWD/a.txt"])
  assert.deepEqual(await lines("/redo"), ["There is no undo to redo."])
})

test("a long diff is cut after 500 lines", async (t) => {
  const text = (count: number) => Array.from({ length: count }, (_, at) => `${at}\n`).join("")
  for (const [count, more] of [
    [497, null],
    [498, "... and 1 more lines; /diff FILE shows one file"],
  ] as const) {
    const { lines, prompt } = await conversation(t, { turns: [write("a.txt", text(count)), { text: "Done." }] })
    await prompt("go")
    const shown = await lines("/diff")
    assert.equal(shown.at(-1), more ?? `+${count - 1}`)
    assert.equal(shown.length, more === null ? 500 : 501)
  }
})
