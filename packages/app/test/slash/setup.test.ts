import assert from "node:assert/strict"
import { test } from "node:test"
import { conversation } from "./conversation.ts"

test("/settings shows all settings, one, and sets one; a choice is picked from its values", async (t) => {
  const { lines, asked, replies, read, controller, typed } = await conversation(t)
  const shown = await typed("/settings")
  assert.ok(shown.kind === "output" && shown.lines.length === 0)
  const [all] = asked
  assert.equal(all?.question, "Which setting?")
  assert.ok(all.rows.includes("bash.timeout = 120"))
  assert.ok(all.rows.includes("api = openai-completions (GONG_API)"))
  assert.deepEqual(all.preview, ["provider/id[:thinking]; after commas fallback models"])
  assert.deepEqual(await lines("/settings bash.timeout"), [
    "bash.timeout = 120",
    "seconds for a command without its own timeout",
  ])
  assert.deepEqual(await lines("/config bash.timeot"), ["There is no setting bash.timeot. Did you mean bash.timeout?"])
  assert.deepEqual(await lines("/settings zzzzzz"), ["There is no setting zzzzzz."])
  assert.deepEqual(await lines("/settings bash.timeout 7"), ["bash.timeout is 7 in $HOME/settings.json."])
  assert.deepEqual(JSON.parse(read("home/settings.json")), { bash: { timeout: 7 } })
  assert.deepEqual(await lines("/settings bash.timeout x"), [
    'gong: "bash.timeout" must be a whole number from 1, not "x".',
  ])

  const at = (name: string) => all.rows.findIndex((row) => row.startsWith(`${name} =`))
  asked.length = 0
  replies.push(at("bash.timeout"), "9")
  assert.deepEqual(await lines("/settings"), ["bash.timeout is 9 in $HOME/settings.json."])
  assert.equal(asked[1]?.question, "bash.timeout, seconds for a command without its own timeout; now 7. New value: ")
  for (const reply of ["", null]) {
    replies.push(at("bash.timeout"), reply)
    assert.deepEqual(await lines("/settings"), ["Nothing has changed."])
  }
  asked.length = 0
  replies.push(at("reads"), 1)
  assert.deepEqual(await lines("/settings"), ["reads is workspace in $HOME/settings.json."])
  assert.deepEqual([asked[1]?.rows, asked[1]?.at], [["anywhere (in use)", "workspace"], 0])
  replies.push(at("reads"), null)
  assert.deepEqual(await lines("/settings"), ["Nothing has changed."])
  asked.length = 0
  replies.push(at("terminal.vim"), 0)
  assert.deepEqual(await lines("/settings"), ["terminal.vim is true in $HOME/settings.json."])
  assert.deepEqual(asked[1]?.rows, ["true", "false"])
  const completed = await controller.call("complete", { name: "settings", arguments: "bash.t" })
  assert.deepEqual(completed.ok && completed.data.completions, [
    { value: "bash.timeout", about: "seconds for a command without its own timeout" },
  ])
})

test("/settings with an unreadable file reports it", async (t) => {
  const { lines, write } = await conversation(t)
  write({ "home/settings.json": "{" })
  const line = "gong: $HOME/settings.json:1:2: close brace expected. Fix it there or move the file away."
  for (const text of ["/settings", "/settings model a/b", "/theme"]) assert.deepEqual(await lines(text), [line], text)
})

test("/theme selects the colours from the themes, with a sample; default unsets them", async (t) => {
  const theme = '{"colors": {"match": "red"}}'
  const { lines, asked, replies, read, controller } = await conversation(t, {
    files: { "home/themes/dusk.json": theme, "home/themes/dawn.json": theme },
  })
  assert.deepEqual(await lines("/theme"), ["Nothing has changed."])
  assert.deepEqual(
    [asked[0]?.question, asked[0]?.rows, asked[0]?.at],
    ["Which colours?", ["default (in use)", "dawn", "dusk"], 0],
  )
  const [first = "", second = "", ...more] = asked[0]?.preview ?? []
  assert.deepEqual([first.split(" ").length, more], [8, []])
  assert.match(second, /heading/)
  assert.deepEqual(await lines("/theme dsk"), [
    "There is no theme dsk. Did you mean dusk? docs/settings.md shows how to write one.",
  ])
  assert.deepEqual(await lines("/theme zzzzzz"), ["There is no theme zzzzzz. docs/settings.md shows how to write one."])
  assert.deepEqual(await lines("/theme dusk"), ["theme is dusk in $HOME/settings.json."])
  assert.deepEqual(JSON.parse(read("home/settings.json")), { theme: "dusk" })
  replies.push(0)
  assert.deepEqual(await lines("/theme"), ["theme is not set in $HOME/settings.json."])
  assert.deepEqual([asked.at(-1)?.rows, asked.at(-1)?.at], [["default", "dawn", "dusk (in use)"], 2])
  const completed = await controller.call("complete", { name: "theme", arguments: "d" })
  assert.deepEqual(completed.ok && completed.data.completions.map(({ value }) => value), ["default", "dawn", "dusk"])
})

test("/model selects a model by its name, by a part of it, or from the list", async (t) => {
  const models = { "alpha-one": {}, "alpha-two": { contextWindow: 64_000, reasoning: true, images: true }, beta: {} }
  const lab = { baseUrl: "http://127.0.0.1:1/v1", models }
  const { lines, asked, replies, controller } = await conversation(t, {
    files: { "home/models.json": JSON.stringify({ providers: { lab } }) },
    env: { GONG_BASE_URL: "", GONG_API: "", GONG_MODEL: "lab/beta" },
  })
  assert.deepEqual(await lines("/model"), ["The model is lab/beta."])
  const [list] = asked
  assert.equal(list?.question, "Which model?")
  const own = list.rows.filter((row) => row.startsWith("lab/"))
  assert.deepEqual(own, ["lab/alpha-one", "lab/alpha-two", "lab/beta (in use)"])
  assert.equal(list.rows[list.at ?? -1], "lab/beta (in use)")
  asked.length = 0
  assert.deepEqual(await lines("/model ALPHA"), ["The model is lab/beta."])
  assert.deepEqual(asked[0], {
    question: "Which model?",
    rows: ["lab/alpha-one", "lab/alpha-two"],
    at: -1,
    preview: ["window 128k, reply 16k", "per million tokens: unknown"],
  })
  replies.push(1)
  const chosen = await lines("/model alpha")
  assert.deepEqual(chosen, ["The model is now lab/alpha-two; thinking: off."])
  assert.deepEqual(await lines("/model lab/be"), ["The model is now lab/beta; thinking: off."], "the only one")
  assert.deepEqual(await lines("/model lab/alpha-one:high"), ["The model is now lab/alpha-one; thinking: high."])
  assert.deepEqual(await lines("/model lab/other"), [
    "The model is now lab/other; thinking: high.",
    "It is not in the list of models: Gong assumes a window of 128000 tokens.",
  ])
  assert.match((await lines("/model a b"))[0] ?? "", /^gong: "a b" is not a model\./)
  const available = await controller.call("get_available_models", {})
  assert.deepEqual(
    available.ok && available.data.models.filter(({ model }) => model.startsWith("lab/")).map(({ current }) => current),
    [false, false, false, true],
  )
})

test("/trust shows the active content, stores the answer, and loads it", async (t) => {
  const { lines, asked, replies, controller, write } = await conversation(t, {
    files: { ".gong/prompts/deploy.md": "Deploy.\n" },
  })
  const open = "$CWD contains 1 command template, which is not loaded: there is no trust decision yet."
  assert.deepEqual(await lines("/trust show"), [
    open,
    "  .gong/prompts/deploy.md (new)",
    "    @@ -0,0 +1,1 @@",
    "    +Deploy.",
  ])
  assert.deepEqual(await lines("/trust"), ["Nothing has changed."])
  assert.deepEqual(asked[0]?.rows, ["trust the current content", "do not trust it, and do not ask again"])
  assert.match(
    asked[0]?.question ?? "",
    /which is not loaded: there is no trust decision yet\.\n {2}\.gong\/prompts\/deploy\.md \(new\)\n/,
  )
  replies.push(1)
  assert.deepEqual(await lines("/trust"), ["This folder is not trusted; new sessions do not load its active content."])
  assert.deepEqual(await lines("/trust show"), [
    "$CWD is not trusted: its active content is not loaded.",
    "  .gong/prompts/deploy.md (same)",
    "    @@ -0,0 +1,1 @@",
    "    +Deploy.",
  ])
  assert.equal(controller.current.info.trusted, false)
  assert.deepEqual(await lines("/trust yes"), ["The current content of this folder is trusted."])
  assert.equal(controller.current.info.trusted, true)
  assert.ok(controller.current.resources.templates.some(({ name }) => name === "deploy"))
  assert.deepEqual(await lines("/trust show"), ["$CWD is trusted: 1 command template is loaded."])
  write({ ".gong/prompts/deploy.md": "Deploy it.\n" })
  assert.deepEqual(await lines("/trust show"), [
    "$CWD was trusted, but .gong/prompts/deploy.md changed since then: its active content is not loaded.",
    "  .gong/prompts/deploy.md (changed)",
    "    @@ -1,1 +1,1 @@",
    "    -Deploy.",
    "    +Deploy it.",
  ])
  assert.deepEqual(await lines("/trust forget"), [
    "The trust decision for this folder was removed; the next conversation asks for a new one.",
  ])
  assert.deepEqual((await lines("/trust show"))[0], open)
})

test("/trust in a folder without active content says so", async (t) => {
  const { lines, asked } = await conversation(t)
  for (const word of ["", "yes", "show"])
    assert.deepEqual(await lines(`/trust ${word}`), ["$CWD has no active content."])
  assert.deepEqual(asked, [])
})

test("/login stores a key that is typed without echo, /logout removes it", async (t) => {
  const { lines, asked, replies, read, server } = await conversation(t, {
    spec: { baseUrl: "http://127.0.0.1:1/v1" },
  })
  assert.deepEqual(await lines("/login custom"), ["gong: no key was given; nothing was stored."])
  assert.match(asked[0]?.question ?? "", /^Key for .* \(not shown\): \(secret\)$/)
  replies.push("a key")
  assert.deepEqual(await lines("/login custom"), [
    "gong: the key from the terminal contains blanks or other invalid characters.",
  ])
  assert.match((await lines("/login nobody"))[0] ?? "", /^gong: no provider "nobody"\./)
  assert.deepEqual(await lines("/logout"), ["gong: auth.json contains no key."])
  assert.equal(server.requests.length, 0)
  assert.throws(() => read("home/auth.json"))
})

test("! shows the output of a command, and its error", async (t) => {
  const { lines } = await conversation(t)
  assert.deepEqual(await lines("!echo one; echo two"), ["one", "two"])
  assert.deepEqual(await lines("!!printf x"), ["x"])
  assert.deepEqual(await lines("!"), ["Type a command after it: !npm test. With !! the model does not see it."])
})
