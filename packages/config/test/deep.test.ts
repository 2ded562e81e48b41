import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { englishOf, maxJsonDepth } from "@gong/spec"
import { readModels } from "../src/models/read.ts"
import { readPermissions } from "../src/settings/permissions.ts"
import { readUserSettings } from "../src/settings/read.ts"
import { readTheme } from "@gong/resources/themes/load-theme"
import { textReader } from "@gong/resources/skills/load-frontmatter"
import { folder } from "@gong/testing/folder"
import { here } from "./here.ts"

// Files of the user and of trusted folders: excessive nesting is one line with its location.

/** On the second line, `levels` levels deep in the whole file. */
const nested = (levels: number): string => `{\n"a": ${'{"b": '.repeat(levels - 1)}1${"}".repeat(levels - 1)}}`

for (const [name, read] of [
  ["settings.json", readUserSettings],
  ["models.json", readModels],
  ["permissions.json", readPermissions],
] as const) {
  test(`${name} nested deeper than 500 levels is one line with the location, with comments as well`, async (t) => {
    const column = '"a": '.length + '{"b": '.length * (maxJsonDepth - 1) + 1
    for (const levels of [maxJsonDepth + 1, 3000, 100_000])
      for (const comment of ["", "// mine [[[\n"]) {
        const home = folder(t, { [name]: nested(levels) + comment })
        const read_ = await read(home)
        const says = `gong: ${join(home, name)}:2:${column}: nested more than 500 levels deep. Fix it there or move the file away.`
        assert.deepEqual(read_.ok ? [] : read_.error.lines, [says], `${levels} levels`)
      }
    const home = folder(t, { [name]: nested(maxJsonDepth) })
    const printed = await read(home)
    assert.doesNotMatch(
      printed.ok ? "" : printed.error.lines.join(),
      /levels deep/,
      "500 levels are judged as any file",
    )
  })
}

test("a theme nested deeper than 500 levels is not used, and reported with its line", async () => {
  for (const comment of ["", "// mine"]) {
    const text = `{\n"colors": {"match": ${"[".repeat(100_000)}${"]".repeat(100_000)}}}${comment}`
    const { theme, diagnostics } = await readTheme(text, { name: "x", location: "/x.json", level: "user" })
    assert.equal(theme, null)
    assert.deepEqual(
      diagnostics.map(({ line, text: what }) => [line, englishOf(what)]),
      [[2, "this is nested more than 500 levels deep. Fix it there, or move the file away."]],
    )
  }
})

test("a skill header with lists or maps as keys is rejected at once: the parser would take hours for a page of them", async (t) => {
  for (const key of [
    "? ".repeat(180) + "a",
    `${"[".repeat(180)}a${"]: 1".repeat(179)}]`,
    "{{a: 1}: 2}",
    "\n  ? &x [a]\n  : 1\n  *x : 2",
  ]) {
    const home = folder(t, { "SKILL.md": `---\nname: x\nmore:\n  ${key}\n---\nbody\n` })
    const read = await textReader(here)(join(home, "SKILL.md"))
    assert.ok(!read.ok, key.slice(0, 40))
    assert.match(englishOf(read.problem), /^a key of the header is a list or a map\.|^the header is no YAML/)
  }
  for (const header of [
    `more: ${"[".repeat(8000)}`,
    `more: ${"[".repeat(180)}${"]".repeat(180)}`,
    "more: {a: {b: [c]}}",
  ]) {
    const home = folder(t, { "SKILL.md": `---\nname: x\n${header}\n---\nbody\n` })
    const read = await textReader(here)(join(home, "SKILL.md"))
    assert.equal(read.ok, !header.endsWith("["), header.slice(0, 40))
  }
})
