import assert from "node:assert/strict"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openStage, type Stage } from "./harness.ts"
import { leave, openTerminal, say, skip } from "./terminal.ts"

function sent(stage: Stage): readonly string[] {
  return stage.server.requests.map(({ body }) => {
    const { messages } = body as { messages: readonly { role: string; content: unknown }[] }
    return String(messages.findLast(({ role }) => role === "user")?.content)
  })
}

function models(stage: Stage): readonly unknown[] {
  return stage.server.requests.map(({ body }) => (body as { model: unknown }).model)
}

test(
  "[TEMPLATE-12] an unknown slash word is sent as text; a typo gets a suggestion; a leading blank sends it anyway",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "Noted." } })
    const terminal = openTerminal(t, stage, [])
    await say(terminal, "/zzyzx is a place", "Noted.")
    await say(terminal, "/usr/bin is full", "Noted.")
    await say(terminal, "/modle", "There is no /modle. Did you mean /model?")
    await say(terminal, " /modle", "Noted.")
    await leave(terminal)
    assert.deepEqual(sent(stage), ["/zzyzx is a place", "/usr/bin is full", " /modle"])
  },
)

test("/help lists every command; a full-width slash and the Chinese comma start one too", { skip }, async (t) => {
  const stage = await openStage(t)
  const terminal = openTerminal(t, stage, [])
  await say(terminal, "／help", "/changelog", "/undo [FILE|compaction]", "Anything else is a message.")
  await say(terminal, "、name 工", "The session is called 工.")
  await say(terminal, "／ｎａｍｅ", "The session is called 工.")
  await leave(terminal)
  assert.equal(stage.server.requests.length, 0)
})

test(
  "[SLASH-06] [SLASH-07] [SLASH-08] [SLASH-09] [SLASH-18] name, session, changelog, hotkeys, quit",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "Hello." } })
    const terminal = openTerminal(t, stage, [])
    await say(terminal, "hello", "Hello.")
    await say(terminal, "/name", "The session has no name.")
    await say(terminal, "/name discount bug", "The session is called discount bug.")
    await say(
      terminal,
      "/session",
      `${stage.sessions()[0]}`,
      "discount bug",
      "custom/mock",
      "runs        1",
      "cost        unknown",
    )
    await say(terminal, "/changelog", "Gong 0.1.0", "Unreleased", "### Added", "more lines in CHANGELOG.md")
    await say(terminal, "/hotkeys", "Ctrl+C", "stops the run")
    terminal.type("/quit\r")
    assert.equal(await terminal.ended, 0)
    const names = stage.entries().flatMap((entry) => (entry.type === "session_info" ? [entry.name] : []))
    assert.deepEqual(names, ["discount bug"])
    assert.equal(stage.server.requests.length, 1)
  },
)

test("[SLASH-02] /model by name, part of a name or number; the next request uses it", { skip }, async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Here." } })
  const facts = { contextWindow: 64_000, maxOutput: 4_000 }
  const lab = {
    baseUrl: `${stage.server.url}/v1`,
    keys: ["LAB_KEY"],
    models: { small: facts, large: { ...facts, reasoning: true } },
  }
  stage.write({ [`${stage.gongHome}/models.json`]: JSON.stringify({ providers: { lab } }) })
  const { GONG_BASE_URL: _, GONG_API: __, GONG_API_KEY: ___, GONG_MODEL: ____, ...env } = stage.env
  const terminal = openTerminal(t, { ...stage, env: { ...env, LAB_KEY: "sk-lab-0123456789" } }, ["-m", "lab/small"])
  await say(terminal, "one", "Here.")
  await say(terminal, "/model lar", "The model is now lab/large; thinking: off.")
  await say(terminal, "two", "Here.")
  terminal.type("/model lab\r")
  await terminal.until("Which model?")
  await terminal.until("lab/large (in use)")
  await say(terminal, "7", "Type a number from 1 to 2, or Enter.")
  await say(terminal, "１", "The model is now lab/small")
  await say(terminal, "three", "Here.")
  await say(terminal, "/model lab/large:high", "The model is now lab/large; thinking: high.")
  await say(terminal, "/model nobody/none", 'gong: unknown provider "nobody"')
  await say(terminal, "four", "Here.")
  await say(
    terminal,
    "/model lab/newest",
    "lab/newest",
    "It is not in the list of models: Gong assumes a window of 128000",
  )
  await leave(terminal)
  assert.deepEqual(models(stage), ["small", "large", "small", "large"])
  const chosen = stage.entries().flatMap((entry) => (entry.type === "model_change" ? [entry.modelId] : []))
  assert.deepEqual(chosen, ["small", "large", "small", "large", "newest"])
})

test(
  "[SLASH-03] [SLASH-04] /export and /share write files; /share asks first, and nothing is uploaded",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "The discount is subtracted twice." } })
    const terminal = openTerminal(t, stage, [])
    await say(terminal, "why?", "twice.")
    await say(terminal, "/export out.jsonl", `The session is in ${stage.repo}/out.jsonl.`)
    await say(terminal, "/export out.jsonl", "already exists")
    await say(terminal, "/share", "[y]es [n]o: ")
    await say(terminal, "no", "Nothing was written.")
    await say(terminal, "/share", "[y]es [n]o: ")
    await say(terminal, "y", "Gong uploads nothing")
    await leave(terminal)
    assert.match(stage.read("out.jsonl").split("\n")[0] ?? "", /"type":"session"/)
    const shared = join(stage.gongHome, "exports", `gong-${stage.sessions()[0]?.slice(-8)}.md`)
    assert.match(readFileSync(shared, "utf8"), /why\?[\s\S]*The discount is subtracted twice\./)
    assert.equal(stage.server.requests.length, 1)
  },
)

test(
  "[SLASH-05] /copy copies the last answer to the system clipboard, or reports that there is none",
  { skip },
  async (t) => {
    const stage = await openStage(t, { turns: [{ text: "Before." }], otherwise: { text: "First line.\nSecond line." } })
    const taken = join(stage.root, "taken")
    const bin = join(stage.root, "bin")
    stage.write({ [join(bin, "xclip")]: `#!/bin/sh\ncat > '${taken}'\n` })
    chmodSync(join(bin, "xclip"), 0o755)
    const env = { ...stage.env, PATH: `${bin}:${stage.env["PATH"]}` }
    const without = openTerminal(t, { ...stage, env }, [])
    await say(without, "/copy", "There is no answer yet.")
    await say(without, "hello", "Before.")
    await say(without, "say", "Second line.")
    await say(without, "/copy", "no clipboard is available")
    await leave(without)
    const terminal = openTerminal(t, { ...stage, env: { ...env, DISPLAY: ":99" } }, ["-c"])
    await say(terminal, "/copy", "Copied with xclip.")
    await leave(terminal)
    assert.equal(readFileSync(taken, "utf8"), "First line.\nSecond line.")
  },
)

test("/context, /cost, /tools and /init", { skip }, async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Done." } })
  const terminal = openTerminal(t, stage, [])
  await say(terminal, "/cost", "This session has no requests yet.")
  await say(terminal, "/init in German", "Done.")
  await say(terminal, "/context", "system prompt", "2 messages", "total", "of the window is used")
  await say(terminal, "/cost", "custom/mock", "1 request", "The cost of custom/mock is unknown")
  await say(terminal, "/tools", "read, write, edit, bash, grep, find, ls")
  await say(terminal, "/tools read、grep", "From now on: read, grep")
  await say(terminal, "/tools reed", "gong: ")
  await say(terminal, "again", "Done.")
  await leave(terminal)
  assert.match(sent(stage)[0] ?? "", /^Write AGENTS\.md[\s\S]*The user adds: in German$/)
  const { tools } = (stage.server.requests.at(-1)?.body ?? { tools: [] }) as {
    tools: readonly { function: { name: string } }[]
  }
  assert.deepEqual(
    tools.map((tool) => tool.function.name),
    ["read", "grep"],
  )
})

test("/diff shows the changes of the session, /undo undoes and /redo repeats them", { skip }, async (t) => {
  const edits = [{ oldText: "two", newText: "TWO" }]
  const stage = await openStage(t, {
    turns: [
      {
        calls: [
          { name: "edit", args: { path: "a.txt", edits } },
          { name: "write", args: { path: "b.txt", content: "new\n" } },
        ],
      },
      { text: "Changed." },
    ],
  })
  const [a, b] = [join(stage.repo, "a.txt"), join(stage.repo, "b.txt")]
  writeFileSync(a, "one\ntwo\nthree\n")
  const terminal = openTerminal(t, stage, ["--yolo"])
  await say(terminal, "/diff", "The session has no changes.")
  await say(terminal, "/redo", "There is no undo to redo.")
  await say(terminal, "change it", "Changed.")
  await say(terminal, "/diff", `--- ${a}`, "@@ -1,3 +1,3 @@", " one", "-two", "+TWO", " three", "--- /dev/null", "+new")
  await say(terminal, "/diff c.txt", "The session has no changes in c.txt.")
  await say(terminal, "/undo", "restored  ")
  await say(terminal, "/diff", "The session has no changes.")
  assert.deepEqual([readFileSync(a, "utf8"), existsSync(b)], ["one\ntwo\nthree\n", false])
  await say(terminal, "/redo", `repeated  ${a}`, `repeated  ${b}`)
  assert.deepEqual([readFileSync(a, "utf8"), readFileSync(b, "utf8")], ["one\nTWO\nthree\n", "new\n"])
  await say(terminal, "/redo", "There is no undo to redo.")
  await say(terminal, "/undo", "restored  ")
  writeFileSync(a, "mine\n")
  await say(terminal, "/redo", "repeated  ", "it was changed since the undo")
  await leave(terminal)
  assert.deepEqual([readFileSync(a, "utf8"), readFileSync(b, "utf8")], ["mine\n", "new\n"])
})

test("/permissions and /plan apply from the next call on", { skip }, async (t) => {
  const touch = { calls: [{ name: "bash", args: { command: "touch made.txt" } }] }
  const stage = await openStage(t, { turns: [touch, { text: "Refused." }, touch, { text: "Made." }] })
  const terminal = openTerminal(t, stage, [])
  await say(terminal, "/permissions some", "There is no level some")
  await say(terminal, "/plan", "plan: nothing is changed.")
  await say(terminal, "make it", "Refused.")
  assert.equal(existsSync(join(stage.repo, "made.txt")), false)
  await say(terminal, "/plan off", "ask: changes need permission.")
  await say(terminal, "/permissions", "What may run without permission?", "ask: changes need permission (current)")
  await say(terminal, "4", "full: everything runs without permission.")
  await say(terminal, "make it", "Made.")
  await leave(terminal)
  assert.ok(existsSync(join(stage.repo, "made.txt")))
})

test("/help and /skills list templates and skills with their sources; they are called by name", { skip }, async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Done." } })
  const terminal = openTerminal(t, stage, [])
  await say(terminal, "/skills", "There are no skills.")
  stage.write({
    [join(stage.gongHome, "prompts/Deploy.md")]:
      "---\ndescription: send it out\nargument-hint: WHERE\n---\nDeploy to $1.",
    [join(stage.gongHome, "prompts/undo.md")]: "Never this.",
    [join(stage.gongHome, "skills/mine/SKILL.md")]: "---\nname: mine\ndescription: My way\n---\nThe way.\n",
  })
  await say(terminal, "/skills", "/skill:mine  My way")
  await say(terminal, "/help", "/Deploy WHERE", "send it out (prompt)", "/skill:mine", "My way (skill)")
  await say(terminal, "/deploy x", "There is no /deploy. Did you mean /Deploy?")
  await say(terminal, "／Deploy berlin", "Done.")
  await say(terminal, "/skill:mine", "Done.")
  await say(terminal, "/undo", "has no file changes to undo")
  await leave(terminal)
  assert.deepEqual(
    sent(stage).map((text) => text.split("\n", 1)[0]?.slice(0, 20)),
    ["Deploy to berlin.", '<skill name="mine" l'],
  )
})
