import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { builtInDeclarations } from "@gong/tools"
import { carryOver } from "@gong/session/compaction/carried"
import type { Expanded } from "../../src/skills/expand.ts"
import { fixture, diagnosticTexts, skillFile } from "./fixture.ts"

const textOf = (expanded: Expanded): string =>
  expanded.ok ? expanded.text : `! ${expanded.failure.kind} ${expanded.failure.message}`

test("[SKILL-C.1] [SKILL-C.2] [SKILL-C.3] /skill:name expands to the skill's text in its tag, followed by the arguments, also for a skill outside the index", async (t) => {
  const header = { name: "deploy", description: "d", "disable-model-invocation": "true" }
  const text = skillFile(header, "Run scripts/x.sh.\n\nThen $1 rest.")
  const { root, library } = fixture(t, { "user/skills/deploy/SKILL.md": text })
  const { expand } = await library()
  const folder = join(root, "user/skills/deploy")
  const block = `<skill name="deploy" location="${folder}/SKILL.md">\nReferences are relative to ${folder}.\nRun scripts/x.sh.\n\nThen $1 rest.\n</skill>`
  assert.equal(textOf(expand("/skill:deploy")), block)
  assert.equal(textOf(expand("/skill:deploy  to prod\nnow")), `${block}\n\nto prod\nnow`)
  const carried = carryOver(null, [{ role: "user", content: [{ type: "text", text: block }] }], builtInDeclarations)
  assert.deepEqual(carried.skills, [`${folder}/SKILL.md`], "a compaction finds it again")
})

test("[SKILL-C.4] a missing skill is named, also one removed before the next scan", async (t) => {
  const { root, library } = fixture(t, { "user/skills/x/SKILL.md": skillFile({ description: "d" }) })
  const { expand, scan } = await library()
  assert.equal(
    textOf(expand("/skill:nope now")),
    '! bad-request there is no skill "nope". gong skills list names those that there are.',
  )
  rmSync(join(root, "user/skills/x/SKILL.md"))
  assert.match(textOf(expand("/skill:x")), /^<skill name="x" /, "as of the last look")
  await scan()
  assert.match(textOf(expand("/skill:x")), /^! bad-request there is no skill "x"\./)
})

test("[SKILL-C.4] a typo in the name of a skill or template gets a suggestion; names with another meaning, and paths, pass; names valid elsewhere are refused", async (t) => {
  const files = { "user/skills/deploy/SKILL.md": skillFile({ description: "d" }), "user/prompts/release.md": "x" }
  const { expand } = await fixture(t, files).library()
  const no = (name: string, near: string) =>
    `! bad-request there is no /${name}. Did you mean /${near}? Start with a blank to send it as a message.`
  const pairs = [
    ["/skill:depoly now", '! bad-request there is no skill "depoly". Did you mean /skill:deploy?'],
    ["/relaese", no("relaese", "release")],
    ["/Review src", no("Review", "review")],
    ["/skil:deploy", no("skil:deploy", "skill:deploy")],
    ["/tickte 5", no("tickte", "ticket")],
    ["/ticket 5", "/ticket 5"],
    ["/cost", "! bad-request /cost works in a conversation only. Start with a blank to send it as a message."],
    ["/Cost now", "! bad-request /Cost works in a conversation only. Start with a blank to send it as a message."],
    ["/csot", no("csot", "cost")],
    [" /cost", " /cost"],
    ["/relaxes 5", "/relaxes 5"],
    ["/relaese/notes is wrong", "/relaese/notes is wrong"],
    ["/release/notes is wrong", "/release/notes is wrong"],
    [" /relaese", " /relaese"],
  ] as const
  for (const [typed, sent] of pairs)
    assert.equal(textOf(expand(typed, { reserved: ["ticket"], interactiveOnly: ["cost"] })), sent)
})

test("the skill's text cannot close or forge its enclosing tag", async (t) => {
  const { library } = fixture(t, { "user/skills/x/SKILL.md": skillFile({ name: `'a"><b'`, description: "d" }) })
  assert.match(textOf((await library()).expand(`/skill:a"><b`)), /^<skill name="a&quot;&gt;&lt;b" location="[^"]+">\n/)
})

test("[TEMPLATE-11] [TEMPLATE-12] /name args expands to the template; an unknown name is an ordinary message", async (t) => {
  const { library } = fixture(t, { "user/prompts/fix.md": "Fix $1 for ${@:2}.", "user/prompts/plain.md": "Do it." })
  const { expand } = await library()
  const pairs = [
    [`/fix #12 "all users"`, "Fix #12 for all users."],
    ["/fix a b\n\n<file>\nx  y\n</file>", "Fix a for b.\n\n<file>\nx  y\n</file>"],
    ["/plain", "Do it."],
    ["/plain but soon", "Do it.\n\nbut soon"],
    ["/unknown a", "/unknown a"],
    ["/etc/hosts is broken", "/etc/hosts is broken"],
    [" /fix a", " /fix a"],
    ["say /fix a", "say /fix a"],
    ["/", "/"],
  ] as const
  for (const [typed, sent] of pairs) assert.equal(textOf(expand(typed)), sent)
})

test("[TEMPLATE-10] [TEMPLATE-13] templates of named files and folders; the first of one name counts: global, project, path, then built-in", async (t) => {
  const { root, library } = fixture(t, {
    "user/prompts/a.md": "user a",
    "user/prompts/deep/no.md": "not looked at",
    "repo/.gong/prompts/a.md": "project a",
    "repo/.gong/prompts/b.md": "project b",
    "named/b.md": "path b",
    "named/review.md": "my review of $@",
    "alone.md": "path alone",
  })
  symlinkSync(join(root, "alone.md"), join(root, "named/same.md"))
  const found = await library({ paths: ["named", "alone.md"] })
  assert.deepEqual(
    found.templates.map(({ name, level }) => `${name} ${level}`),
    ["a user", "b project", "review path", "same path", "commit shipped"],
  )
  const left = (name: string, first: string) =>
    `the template "${name}" is left out: ${join(root, first)} has this name. Rename one of them.`
  assert.deepEqual(
    found.diagnostics.filter(({ type }) => type === "collision").map(({ path, text }) => [path, englishOf(text)]),
    [
      [join(root, "repo/.gong/prompts/a.md"), left("a", "user/prompts/a.md")],
      [join(root, "named/b.md"), left("b", "repo/.gong/prompts/b.md")],
    ],
  )
  assert.equal(textOf(found.expand("/review x")), "my review of x")
})

test("a template is found by every encoding of its name", async (t) => {
  const [composed, decomposed] = ["r\u00e9sum\u00e9", "re\u0301sume\u0301"] as const
  const { expand } = await fixture(t, { [`user/prompts/${decomposed}.md`]: "Sum up $1." }).library()
  for (const typed of [composed, decomposed]) assert.equal(textOf(expand(`/${typed} it`)), "Sum up it.")
})

test("a template's header: description and argument hint; without them its first line", async (t) => {
  const { library } = fixture(t, {
    "user/prompts/a.md": "---\ndescription: Fixes it\nargument-hint: [file, line]\n---\nFix $1.",
    "user/prompts/b.md": "Fix it now.\nAnd well.",
  })
  const [a, b] = (await library()).templates
  assert.deepEqual([a?.description, a?.argumentHint, a?.body], ["Fixes it", "[file, line]", "Fix $1."])
  assert.deepEqual([b?.description, b?.argumentHint], ["Fix it now.", ""])
})

test("problems of a template are reported with their line; the others count", async (t) => {
  const { library } = fixture(t, {
    "user/prompts/bad.md": "---\ndescription: a: b\n---\nx",
    "user/prompts/empty.md": "---\ndescription: a\n---\n\n",
    "user/prompts/good.md": "x",
    "user/prompts/two words.md": "x",
    "user/prompts/zero.md": "---\ndescription: a\n---\n\nfirst\nUse $0.",
  })
  const found = await library()
  assert.deepEqual(
    found.templates.map(({ name }) => name),
    ["good", "zero", "review", "commit"],
  )
  const lines = diagnosticTexts(found)
  assert.match(lines[0] ?? "", /^error 2 the header is no YAML at column 14: /)
  assert.deepEqual(lines.slice(1), [
    "error 4 there is no text in this template. Write what it stands for.",
    "error 1 a name with a blank cannot be typed. Rename the file.",
    "error 6 $0: arguments count from 1. Write $1, or $@ for all.",
  ])
})

test("the built-in templates are complete sentences with and without arguments", async (t) => {
  const { expand } = await fixture(t, {}).library()
  assert.match(textOf(expand("/review")), /^Review the changes in this repository that are not committed \(/)
  assert.match(textOf(expand("/review src/cart.js")), /^Review src\/cart\.js\.\n/)
  assert.match(textOf(expand("/commit")), /^Commit the work that is not committed yet\. *\n/)
  assert.match(textOf(expand("/commit only the docs")), /not committed yet\. only the docs\n/)
})

test("a changed template is read by the next scan", async (t) => {
  const { root, library } = fixture(t, { "user/prompts/a.md": "old" })
  const found = await library()
  writeFileSync(join(root, "user/prompts/a.md"), "newer")
  await found.scan()
  assert.equal(textOf(found.expand("/a")), "newer")
})
