import assert from "node:assert/strict"
import { test } from "node:test"
import { createAllTools, type ToolName } from "@gong/tools"
import { buildSystemPrompt, type PromptOptions } from "../../src/prompt/system.ts"

const all = createAllTools("/work")
const pick = (...names: readonly ToolName[]) => names.map((name) => all[name])

function build(more: Partial<PromptOptions> = {}): string {
  const now = Date.UTC(2026, 10, 21, 13, 3, 59)
  return buildSystemPrompt({
    tools: pick("read", "write", "edit", "bash"),
    cwd: "/work/shop",
    now,
    utcOffset: 60,
    ...more,
  })
}

const skill = { name: "deploy", description: "How to deploy", location: "/home/u/.gong/skills/deploy/SKILL.md" }
const context = { path: "/work/AGENTS.md", from: "repository", text: "Use tabs.", cut: false, refused: [] } as const
const docs = ["README.md", "docs", "examples"].map((name) => `/opt/gong/${name}`)

test("[PROMPT-1] the default prompt begins with the role", () => {
  assert.ok(build().startsWith("You are an expert coding assistant"))
})

test("[PROMPT-2] [PROMPT-13] each active tool has its line under Available tools, and no other tool has", () => {
  const list = /Available tools:\n((?:- .*\n)+)/.exec(build({ tools: pick("read", "grep") }))?.[1]
  assert.equal(list, `- read: ${all.read.promptSnippet}\n- grep: ${all.grep.promptSnippet}\n`)
  assert.match(build(), /^- read: Read file contents$/m)
})

test("[PROMPT-3] [PROMPT-14] guidelines come from the active tools, each once", () => {
  const prompt = build()
  const lines = /Guidelines:\n((?:- .*\n?)+)/.exec(prompt)?.[1]?.trim().split("\n") ?? []
  for (const tool of pick("read", "edit")) {
    for (const line of tool.promptGuidelines) assert.ok(lines.includes(`- ${line}`), line)
  }
  assert.ok(lines.includes("- Use read to examine files instead of cat or sed"))
  assert.equal(new Set(lines).size, lines.length)
})

test("the fixed prompt, with the schemas of all seven tools, is at most 6 KB", () => {
  const tools = Object.values(all)
  const schemas = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  const bytes = Buffer.byteLength(build({ tools, docs }) + JSON.stringify(schemas))
  assert.ok(bytes <= 6 * 1024, `${bytes} bytes`)
})

/** Without the lines of the tools themselves. */
const quiet = (...names: readonly ToolName[]) => names.map((name) => ({ ...all[name], promptGuidelines: [] }))

test("[PROMPT-15] search tools are preferred over bash if both are active", () => {
  assert.match(build({ tools: quiet("bash", "grep", "find", "ls") }), /^- Prefer grep\/find\/ls tools over bash$/m)
  assert.match(build({ tools: quiet("bash", "ls") }), /^- Prefer ls tools over bash$/m)
  assert.doesNotMatch(build({ tools: quiet("grep", "find", "ls") }), /over bash/)
  assert.doesNotMatch(build({ tools: quiet("read", "bash") }), /over bash/)
})

test("[PROMPT-16] conciseness is always requested", () => {
  for (const tools of [pick("read"), []]) assert.match(build({ tools }), /^- Be concise in your responses$/m)
})

test("[PROMPT-17] inactive tools are not named, by the prompt itself or by lines of other tools", () => {
  const names = Object.keys(all) as ToolName[]
  for (const name of names) {
    const rest = names.filter((other) => other !== name)
    // Ordinary words (read, find, edit, write) occur in other sentences; a tool is named in a list, a line or as "X tool".
    const prompt = build({ tools: pick(...rest), skills: [skill] })
    assert.doesNotMatch(
      prompt,
      new RegExp(`^- ${name}:|\\bUse ${name}\\b|\\b${name} tool|/${name}\\b|\\b${name}/`, "mu"),
      name,
    )
  }
})

test("[PROMPT-4] Gong's own readme, docs and examples are named by their paths", () => {
  assert.match(
    build({ docs }),
    /^Documentation of Gong itself.*: \/opt\/gong\/README\.md, \/opt\/gong\/docs, \/opt\/gong\/examples$/m,
  )
})

test("[PROMPT-7] the index of skills is present if read is active and there are skills", () => {
  assert.match(build({ skills: [skill] }), /<available_skills>/)
  assert.doesNotMatch(build(), /<available_skills>/)
})

test("[SKILL-F.4] [PROMPT-7] without the read tool there is no list of skills", () => {
  assert.doesNotMatch(build({ skills: [skill], tools: pick("bash") }), /skill/)
})

test("[PROMPT-8] date and time of the build, in the user's zone, to the minute", () => {
  assert.match(build(), /^Current date and time: 2026-11-21 14:03 \(UTC\+01:00\)$/m)
  assert.match(build({ utcOffset: -210 }), /2026-11-21 09:33 \(UTC-03:30\)$/m)
  assert.equal(build(), build({ now: Date.UTC(2026, 10, 21, 13, 3, 0) }), "one text for a whole minute")
})

test("[PROMPT-9] the working directory is named", () => {
  assert.match(build(), /^Current working directory: \/work\/shop$/m)
})

test("[PROMPT-10] all parts are in order", () => {
  const prompt = build({ docs, append: "APPENDED", contextFiles: [context], skills: [skill] })
  const marks = [
    "You are an expert",
    "Available tools:",
    "Guidelines:",
    "Documentation of Gong itself",
    "APPENDED",
    "Use tabs.",
    "<available_skills>",
    "Current date and time:",
    "Current working directory:",
  ]
  const places = marks.map((mark) => prompt.indexOf(mark))
  assert.ok(places.every((at) => at >= 0))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
})

test("[PROMPT-11] [AGENT-S.28] a custom prompt replaces the first four parts and keeps the rest", () => {
  const prompt = build({
    custom: "You are a poet.\n",
    docs,
    append: "APPENDED",
    contextFiles: [context],
    skills: [skill],
  })
  assert.ok(prompt.startsWith("You are a poet.\n\nAPPENDED\n\n"))
  for (const gone of ["expert coding assistant", "Available tools", "Guidelines", "Documentation of Gong"])
    assert.ok(!prompt.includes(gone))
  const kept = ["Use tabs.", "<available_skills>", "Current date and time:", "Current working directory:"]
  const places = kept.map((mark) => prompt.indexOf(mark))
  assert.deepEqual(
    places,
    places.filter((at) => at > 0).toSorted((a, b) => a - b),
  )
})

test("empty parts leave no gap", () => {
  assert.doesNotMatch(build({ append: "  \n", contextFiles: [], skills: [] }), /\n\n\n/)
})
