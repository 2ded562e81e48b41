import assert from "node:assert/strict"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { RecordedRequest } from "@gong/testing/model-server"
import { openStage, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

const skill = (description: string, body = "Body of it.") => `---\ndescription: ${description}\n---\n${body}\n`

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

const messages = (request: RecordedRequest | undefined): Body["messages"] =>
  (request?.body as Body | undefined)?.messages ?? []
const systemOf = (stage: Stage, at = -1): string => String(messages(stage.server.requests.at(at))[0]?.content)
const askedOf = (stage: Stage, at = -1): string => {
  const { content } = messages(stage.server.requests.at(at)).at(-1) ?? {}
  return typeof content === "string" ? content : (content as { text: string }[]).map(({ text }) => text).join("")
}
const named = (stage: Stage): readonly string[] =>
  Array.from(systemOf(stage).matchAll(/<name>(.*?)<\/name>/g), ([, name = ""]) => name)

test("[SKILL-F.2] [SKILL-F.3] [SKILL-L.1] the model gets the index of skills without bodies; those of an untrusted repository are marked", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({
    [join(stage.gongHome, "skills/mine/SKILL.md")]: skill("Mine & <yours>"),
    [join(stage.home, ".pi/agent/skills/pi/SKILL.md")]: skill("From pi"),
    [join(stage.home, ".agents/skills/hand.md")]:
      "---\ndescription: By hand\ndisable-model-invocation: true\n---\nBody of it.",
    ".claude/skills/theirs/SKILL.md": skill("Theirs"),
    ".claude/skills/theirs/run.sh": "true",
    ".agents/skills/mine/SKILL.md": skill("Not mine"),
  })
  const run = await stage.gong(["-p", "go"])
  assert.equal(run.status, 0)
  const system = systemOf(stage)
  assert.deepEqual(named(stage), ["mine", "pi", "theirs"])
  assert.match(system, /<description>Mine &amp; &lt;yours&gt;<\/description>/)
  assert.match(
    system,
    new RegExp(`<location>${stage.repo}/.claude/skills/theirs/SKILL.md</location>\n    <from>repository</from>`),
  )
  assert.equal(system.split("<from>").length, 2)
  assert.match(system, /Skills from the repository are its authors' words/)
  assert.doesNotMatch(system, /Body of it|By hand/)
  assert.match(run.err, /^gong: this folder contains 1 skill script, which was not loaded/m)
  assert.match(
    run.err,
    new RegExp(
      `^gong: ${stage.repo}/.agents/skills/mine/SKILL.md:1: the skill "mine" is left out: ${stage.gongHome}`,
      "m",
    ),
  )

  const listed = JSON.parse((await stage.gong(["skills", "--json"])).out) as {
    skills: { name: string; level: string }[]
  }
  assert.deepEqual(
    listed.skills.map(({ name, level }) => `${name} ${level}`),
    ["mine user", "pi user", "hand user", "theirs project"],
  )

  await stage.gong(["-pq", "--no-skills", "--skill", ".claude/skills/theirs", "go"])
  assert.deepEqual(named(stage), ["theirs"])
  await stage.gong(["-pq", "--bare", "go"])
  assert.deepEqual(named(stage), [])
  await stage.gong(["-pq", "--tools", "ls", "go"])
  assert.deepEqual(named(stage), [])
  const missing = await stage.gong(["-p", "--skill", "nowhere", "go"])
  assert.deepEqual([missing.status, missing.err], [2, "gong: --skill nowhere: there is no such file or folder.\n"])
})

test("[SKILL-L.2] [TEMPLATE-8] [TEMPLATE-9] a project: skills of the level project; templates only with trust; folders of Pi are included", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({
    ".pi/skills/p/SKILL.md": skill("Of the project"),
    ".pi/prompts/fix.md": "Theirs: fix $1.",
    ".gong/prompts/plan.md": "Plan $@.",
    [join(stage.home, ".pi/agent/prompts/ask.md")]: "Ask about $@.",
  })
  const list = async (...args: readonly string[]) => {
    const all = JSON.parse((await stage.gong(["skills", "--json", ...args])).out) as Record<
      string,
      { name: string; level: string }[]
    >
    return [...(all["skills"] ?? []), ...(all["templates"] ?? [])].map(({ name, level }) => `${name} ${level}`)
  }
  assert.deepEqual(await list(), ["p project", "ask user", "review shipped", "commit shipped"])
  assert.deepEqual(await list("--trust", "yes"), [
    "p project",
    "ask user",
    "plan project",
    "fix project",
    "review shipped",
    "commit shipped",
  ])

  await stage.gong(["-pq", "/ask", "the", "weather"])
  assert.equal(askedOf(stage), "Ask about the weather.")
  await stage.gong(["-pq", "/fix it"])
  assert.equal(askedOf(stage), "/fix it", "without trust it is what was typed")
  await stage.gong(["-pq", "--trust", "yes", "/fix it"])
  assert.equal(askedOf(stage), "Theirs: fix it.")
})

test("skills and templates can be called in every mode with a message", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({
    [join(stage.gongHome, "skills/x/SKILL.md")]: skill("X"),
    [join(stage.gongHome, "prompts/say.md")]: "Say $@!",
  })
  const location = join(stage.gongHome, "skills/x")
  const block = `<skill name="x" location="${location}/SKILL.md">\nReferences are relative to ${location}.\nBody of it.\n</skill>\n\nnow`
  for (const output of ["text", "json", "events"]) {
    await stage.gong(["-q", "--output", output, "/say", "hi"])
    assert.equal(askedOf(stage), "Say hi!")
    await stage.gong(["-q", "--output", output, "/skill:x now"])
    assert.equal(askedOf(stage), block)
  }
  // An input method for Chinese writes them so.
  for (const [typed, sent] of [
    ["／ｓａｙ hi", "Say hi!"],
    ["、skill：x now", block],
    ["／说点什么 hi", "／说点什么 hi"],
  ] as const) {
    await stage.gong(["-pq", typed])
    assert.equal(askedOf(stage), sent)
  }
  await stage.gong(["-pq", "/say"], { stdin: "piped" })
  assert.equal(askedOf(stage), "Say !\n\n<stdin>\npiped\n</stdin>")
  await stage.gong([], { typed: "/say hello\r" })
  assert.equal(askedOf(stage), "Say hello!")

  const before = stage.server.requests.length
  const unknown = await stage.gong(["-p", "/skill:y"])
  assert.equal(unknown.status, 1)
  assert.match(unknown.err, /there is no skill "y"\. gong skills list names those that there are\./)
  assert.equal(stage.server.requests.length, before, "nothing was sent")
})

test("[SKILL-L.7] [PROMPT-18] an added, changed or removed skill is in the next prompt; without changes the prompt is byte-identical", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  const path = join(stage.gongHome, "skills/x/SKILL.md")
  const rpc = startRpc(t, stage)
  const ask = async (text: string) => {
    await rpc.request("prompt", { text })
    await rpc.event("result")
    return systemOf(stage)
  }
  const first = await ask("one")
  assert.equal(await ask("two"), first)
  stage.write({ [path]: skill("Added"), [join(stage.gongHome, "prompts/say.md")]: "Say $@!" })
  assert.match(await ask("/say three"), /<description>Added<\/description>/)
  assert.equal(askedOf(stage), "Say three!")
  stage.write({ [path]: skill("Changed: badly") })
  assert.doesNotMatch(await ask("four"), /available_skills/)
  const notification = await rpc.event("notice")
  assert.deepEqual(
    [notification.code, notification.text.startsWith(`${path}:2: the header is no YAML`)],
    ["skill", true],
  )
  stage.write({ [path]: skill("Changed") })
  const changed = await ask("five")
  assert.match(changed, /<description>Changed<\/description>/)
  assert.equal(await ask("six"), changed)
  const refused = await rpc.refused("steer", { text: "/skill:nope" })
  assert.match(refused.message, /there is no skill "nope"/)
  rmSync(path)
  assert.doesNotMatch(await ask("seven"), /available_skills/)
})

test("[SKILL-C.5] a skill that the model reads has the limits of read, and stays until a compaction", async (t) => {
  const stage = await openStage(t)
  const at = (name: string) => join(stage.gongHome, `skills/${name}/SKILL.md`)
  stage.write({
    [at("long")]: skill("Long", "line\n".repeat(3_000)),
    [at("wide")]: skill("Wide", `${"wide ".repeat(20)}\n`.repeat(1_000)),
  })
  const calls = [at("long"), at("wide")].map((path) => ({ name: "read", args: { path } }))
  stage.server.begin([{ calls }, { text: "ok" }, { text: "ok" }, { text: "## Goal\nto go" }, { text: "ok" }])
  assert.equal((await stage.gong(["-pq", "go"])).status, 0)
  const results = () =>
    messages(stage.server.requests.at(-1)).flatMap(({ role, content }) => (role === "tool" ? [String(content)] : []))
  const [long = "", wide = ""] = results()
  assert.equal(long.split("\nline").length - 1, 2_000 - 3)
  assert.match(long, /offset=2001/)
  assert.equal(wide.split("\nwide").length - 1, Math.floor((50 * 1024 - skill("Wide", "").length) / 101))

  await stage.gong(["-pq", "-c", "still there?"])
  assert.deepEqual(results(), [long, wide])
  const little = ["--set", "compaction.keepRecentTokens=100"]
  const compacted = await stage.gong(["-c", "--plain", ...little], { typed: "/compact\r" })
  assert.match(compacted.out, /compacted: /)
  await stage.gong(["-pq", "-c", "and now?"])
  assert.deepEqual(results(), [])
})

test("[SESSION-21] a resumed session has no jobs of the previous process, and skills are read again", async (t) => {
  const stage = await openStage(t)
  const path = join(stage.gongHome, "skills/x/SKILL.md")
  stage.write({ [path]: skill("Before", "The text before.") })
  const job = { name: "bash", args: { command: "sleep 60" } }
  stage.server.begin([
    { calls: [job] },
    { text: "ok" },
    { calls: [{ name: "bash", args: { job: 1 } }] },
    { text: "ok" },
  ])
  await stage.gong(["-pq", "--yolo", "--set", "bash.timeout=1", "/skill:x"])
  assert.match(JSON.stringify(messages(stage.server.requests[0])), /The text before/)
  stage.write({ [path]: skill("After", "The text after.") })
  await stage.gong(["-pq", "--yolo", "-c", "/skill:x"])
  assert.match(systemOf(stage), /<description>After</)
  assert.match(askedOf(stage, 2), /The text after/)
  assert.match(JSON.stringify(messages(stage.server.requests.at(-1)).at(-1)), /There is no job 1\b/)
})

test("gong skills lists skills, and problems with file, line and remedy", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  const at = (path: string) => join(stage.gongHome, path)
  stage.write({ [at("skills/x/SKILL.md")]: skill("X"), [at("prompts/a.md")]: "---\nargument-hint: WHAT\n---\nDo $@." })
  const listed = await stage.gong(["skills"])
  assert.match(
    listed.out,
    new RegExp(
      `^/skill:x +user +X +${at("skills/x/SKILL.md")}\n/a WHAT +user +Do \\$@\\. +\\S+\n/review \\[WHAT\\] +shipped `,
    ),
  )
  const good = await stage.gong(["skills", "validate"])
  assert.deepEqual([good.status, good.out], [0, "1 skill and 3 templates: no problems.\n"])

  stage.write({ [at("skills/Y/SKILL.md")]: "---\nname: Y\n---\nx", "other/Z/SKILL.md": skill("Z") })
  const bad = await stage.gong(["skills", "validate"])
  assert.equal(bad.status, 2)
  assert.equal(
    bad.err,
    `gong: error: ${at("skills/Y/SKILL.md")}:1: a skill needs a description: what it does and when to use it. Add \`description: ...\`.\ngong: 1 skill and 3 templates: 1 problem.\n`,
  )
  const one = await stage.gong(["skills", "validate", "other"])
  assert.match(one.err, /^gong: warning: \S+Z\/SKILL\.md:1: the name "Z" may hold only lower-case/)
  assert.match((await stage.gong(["-p", "go"])).err, /^gong: \S+Y\/SKILL\.md:1: a skill needs a description/m)
})
