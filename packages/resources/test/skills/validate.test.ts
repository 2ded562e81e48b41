import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { fixture, diagnosticTexts, skillFile } from "./fixture.ts"

/** A skill loaded from a folder of this name. */
async function loaded(t: TestContext, folderName: string, text: string) {
  const library = await fixture(t, { [`user/skills/${folderName}/SKILL.md`]: text }).library()
  return { skill: library.skills[0], diagnosticTexts: diagnosticTexts(library) }
}

const long = (length: number) => "d".repeat(length)

test("[SKILL-V.1] [SKILL-V.2] [SKILL-V.3] [SKILL-V.4] [SKILL-V.5] an invalid name is a diagnostic on its line, and the skill is usable", async (t) => {
  const cases = [
    ["Deploy", "may hold only lower-case letters, digits and hyphens"],
    ["de_ploy", "may hold only lower-case letters, digits and hyphens"],
    ["de.ploy", "may hold only lower-case letters, digits and hyphens"],
    ["-deploy", "may not begin with a hyphen"],
    ["deploy-", "may not end with a hyphen"],
    ["de--ploy", "may not hold two hyphens in a row"],
  ] as const
  for (const [name, what] of cases) {
    const { skill, diagnosticTexts } = await loaded(t, name, skillFile({ description: "d", name: `"${name}"` }))
    assert.equal(skill?.name, name)
    assert.deepEqual(diagnosticTexts, [`warning 3 the name "${name}" ${what}. Rename the skill.`])
  }
  assert.deepEqual((await loaded(t, "deploy-2", skillFile({ name: "deploy-2", description: "d" }))).diagnosticTexts, [])
})

test("[SKILL-V.1] [SKILL-V.2] a name may have the lower-case letters and digits of any script, as the reference validator of agentskills has it", async (t) => {
  for (const name of ["技能", "мой-навык", "σύνθεση", "스킬-2", "スキル", "مهارة", "état-٣", "ß"])
    assert.deepEqual((await loaded(t, name, skillFile({ name, description: "d" }))).diagnosticTexts, [], name)
  for (const name of ["НАВЫК", "Éa", "мой_навык", "a🙂", "a b", "हिन्दी"]) {
    const { skill, diagnosticTexts } = await loaded(t, name, skillFile({ name: `"${name}"`, description: "d" }))
    assert.equal(skill?.name, name)
    assert.match(diagnosticTexts.join(), /^warning 2 .*may hold only lower-case letters, digits and hyphens/, name)
  }
})

test("[SKILL-V.7] [SKILL-V.8] all encodings of a name are equal, in the header, as a folder and when typed", async (t) => {
  const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"] as const
  for (const [folder, name] of [
    [composed, decomposed],
    [decomposed, composed],
    [composed, "ｃａｆé"],
    [decomposed, ""],
  ] as const) {
    const library = await fixture(t, {
      [`user/skills/${folder}/SKILL.md`]: skillFile({ description: "d", ...(name !== "" && { name }) }),
    }).library()
    assert.deepEqual([library.skills[0]?.name, diagnosticTexts(library)], [composed, []], `${folder} ${name}`)
    for (const typed of [composed, decomposed]) assert.ok(library.expand(`/skill:${typed}`).ok, typed)
  }
  const both = {
    [`user/skills/${composed}/SKILL.md`]: skillFile({ description: "d" }),
    [`user/skills/${decomposed}/SKILL.md`]: skillFile({ description: "e" }),
  }
  assert.equal((await fixture(t, both).library()).skills.length, 1, "two forms are one name")
})

test("[SKILL-V.6] a name may have 64 characters", async (t) => {
  const [fits, tooLong] = ["n".repeat(64), "n".repeat(65)] as const
  assert.deepEqual((await loaded(t, fits, skillFile({ name: fits, description: "d" }))).diagnosticTexts, [])
  const { diagnosticTexts } = await loaded(t, tooLong, skillFile({ name: tooLong, description: "d" }))
  assert.match(diagnosticTexts[0] ?? "", /has 65 characters; it may have 64/)
})

test("[SKILL-V.7] [SKILL-V.8] the name must equal that of the folder, which is also its default", async (t) => {
  const other = await loaded(t, "deploy", skillFile({ name: "release", description: "d" }))
  assert.equal(other.skill?.name, "release")
  assert.deepEqual(other.diagnosticTexts, [
    `warning 2 the name "release" is not that of its place, "deploy". Make them the same.`,
  ])
  const none = await loaded(t, "deploy", skillFile({ description: "d" }))
  assert.deepEqual([none.skill?.name, none.diagnosticTexts], ["deploy", []])
})

test("[SKILL-V.9] [SKILL-V.10] a skill without a description is not loaded", async (t) => {
  for (const more of [{}, { description: '""' }, { description: '"  "' }, { description: "[a]" }]) {
    const { skill, diagnosticTexts } = await loaded(t, "x", skillFile({ name: "x", ...more }))
    assert.equal(skill, undefined)
    assert.match(diagnosticTexts.join(), /^error [13] a skill needs a description: .*Add `description: \.\.\.`\.$/)
  }
})

test("[SKILL-V.11] a description may have 1024 characters", async (t) => {
  assert.deepEqual((await loaded(t, "x", skillFile({ description: long(1024) }))).diagnosticTexts, [])
  const { skill, diagnosticTexts } = await loaded(t, "x", skillFile({ description: long(1025) }))
  assert.equal(skill?.name, "x")
  assert.match(diagnosticTexts.join(), /^warning 2 the description has 1025 characters; only the first 1024 are shown/)
})

test("[SKILL-V.12] unknown fields are accepted", async (t) => {
  const header = { description: "d", license: "MIT", "allowed-tools": "Bash(git *) Read", metadata: "{a: b}" }
  const { skill, diagnosticTexts } = await loaded(t, "x", skillFile(header))
  assert.deepEqual([skill?.name, diagnosticTexts], ["x", []])
})

test("[SKILL-V.13] an invalid header is a diagnostic with its line; the others count", async (t) => {
  const nine = (word: string) => Array(9).fill(word).join(",")
  const bomb = `a: &a [${nine("x")}]\nb: &b [${nine("*a")}]\nc: [${nine("*b")}]\ndescription: d`
  const cases = [
    [
      "---\nname: x\ndescription: Use when: asked\n---\n",
      /^error 3 the header is no YAML at column 14: .* Quote the value\.$/,
    ],
    ["---\ndescription: d\nIt goes on", /^error 1 the header has no end\. Close it with a line of ---\.$/],
    ["---\n- a\n- b\n---\n", /^error 2 the header is no list of `key: value` lines/],
    [`---\n${bomb}\n---\n`, /^error 2 the header repeats itself too often/],
    [`---\ndescription: ${long(20_000)}\n---\n`, /^error 1 the header has 200\d\d characters; it may have 16384/],
    ["x".repeat(300_000), /^error 1 300000 bytes; such a file may have 262144/],
  ] as const
  for (const [text, expected] of cases) {
    const good = skillFile({ description: "d" })
    const library = await fixture(t, { "user/skills/bad/SKILL.md": text, "user/skills/good/SKILL.md": good }).library()
    assert.deepEqual(
      library.skills.map(({ name }) => name),
      ["good"],
    )
    assert.match(diagnosticTexts(library).join("\n"), expected)
  }
})

test("disable-model-invocation is true or false", async (t) => {
  const header = { description: "d", "disable-model-invocation": "true" }
  assert.equal((await loaded(t, "x", skillFile(header))).skill?.disableModelInvocation, true)
  const odd = await loaded(t, "x", skillFile({ ...header, "disable-model-invocation": "maybe" }))
  assert.equal(odd.skill?.disableModelInvocation, false)
  assert.deepEqual(odd.diagnosticTexts, ["warning 3 this is true or false. Write one of them."])
})

test("a scope is task, session or a number of replies; default task", async (t) => {
  const scopeOf = async (scope: string) => {
    const { skill, diagnosticTexts } = await loaded(t, "x", skillFile({ description: "d", scope }))
    return [skill?.scope, ...diagnosticTexts]
  }
  assert.equal((await loaded(t, "x", skillFile({ description: "d" }))).skill?.scope, "task")
  assert.deepEqual(await scopeOf("session"), ["session"])
  assert.deepEqual(await scopeOf("12"), [12])
  for (const wrong of ["0", "1.5", "turn"]) {
    const why = "warning 3 the scope is task, session, or a number of replies. Write one of them."
    assert.deepEqual(await scopeOf(wrong), ["task", why], wrong)
  }
})
