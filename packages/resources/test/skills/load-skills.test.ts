import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Library } from "../../src/skills/load-library.ts"
import { fixture, diagnosticTexts, skillFile } from "./fixture.ts"

const one = skillFile({ description: "d" })
const names = ({ skills }: Library) => skills.map(({ name }) => name)

test("[SKILL-D.1] [SKILL-D.2] directly in a location every .md is a skill; below only SKILL.md, at any depth", async (t) => {
  const { library } = fixture(t, {
    "user/skills/alone.md": one,
    "user/skills/notes.txt": one,
    "user/skills/alone.md.bak": one,
    "user/skills/deploy/SKILL.md": one,
    "user/skills/deploy/reference.md": one,
    "user/skills/group/deep/er/SKILL.md": one,
    "user/skills/group/other.md": one,
  })
  const found = await library()
  assert.deepEqual(names(found), ["alone", "deploy", "er"])
  assert.deepEqual(diagnosticTexts(found), [])
})

test("[SKILL-D.3] hidden entries and node_modules are skipped", async (t) => {
  const { library } = fixture(t, {
    "user/skills/.hidden/SKILL.md": one,
    "user/skills/.alone.md": one,
    "user/skills/node_modules/x/SKILL.md": one,
    "user/skills/a/node_modules/x/SKILL.md": one,
    "user/skills/a/.b/SKILL.md": one,
  })
  assert.deepEqual(names(await library()), [])
})

test("[SKILL-D.4] .gitignore, .ignore and .fdignore are honoured, also for nested files", async (t) => {
  const { library } = fixture(t, {
    "user/skills/.gitignore": "drafts/\n",
    "user/skills/.ignore": "alone.md\n",
    "user/skills/.fdignore": "old-*\n",
    "user/skills/drafts/x/SKILL.md": one,
    "user/skills/alone.md": one,
    "user/skills/old-x/SKILL.md": one,
    "user/skills/group/old-y/SKILL.md": one,
    "user/skills/group/.gitignore": "b*\n!bb\n",
    "user/skills/group/ba/SKILL.md": one,
    "user/skills/group/bb/SKILL.md": one,
    "user/skills/kept/SKILL.md": one,
  })
  assert.deepEqual(names(await library()), ["bb", "kept"])
})

test("[SKILL-L.3] [SKILL-L.8] named locations: a file, a skill, a folder of skills; optionally only these", async (t) => {
  const { library } = fixture(t, {
    "user/skills/mine/SKILL.md": one,
    "named/alone.md": one,
    "named/deploy/SKILL.md": one,
    "named/many/a/SKILL.md": one,
    "named/many/b.md": one,
  })
  const paths = ["named/alone.md", "named/deploy", "named/many"]
  const found = await library({ paths })
  assert.deepEqual(
    found.skills.map(({ name, level }) => `${name} ${level}`),
    ["mine user", "alone path", "deploy path", "a path", "b path"],
  )
  assert.deepEqual(names(await library({ paths, includeDefaults: false })), ["alone", "deploy", "a", "b"])
})

test("[SKILL-L.4] the first of one name counts: user, project, path; in the project .gong, .pi, .agents, .claude", async (t) => {
  const inProject = [".gong", ".pi", ".agents", ".claude"].map((name) => `repo/${name}/skills`)
  const everywhere = ["user/skills", ...inProject, "named"]
  const { root, library } = fixture(t, Object.fromEntries(everywhere.map((path) => [`${path}/x/SKILL.md`, one])))
  for (const [at, path] of everywhere.entries()) {
    const found = await library({ paths: ["named"] })
    const first = join(root, path, "x/SKILL.md")
    assert.deepEqual(
      found.skills.map(({ location }) => location),
      [first],
    )
    const left = found.diagnostics.map(({ type, path: other, text }) => `${type} ${other} ${englishOf(text)}`)
    assert.deepEqual(
      left,
      everywhere
        .slice(at + 1)
        .map(
          (other) =>
            `collision ${join(root, other)}/x/SKILL.md the skill "x" is left out: ${first} has this name. Rename one of them.`,
        ),
    )
    rmSync(join(root, path, "x"), { recursive: true })
  }
})

test("[SKILL-L.5] a file with several links is one skill; link cycles end", async (t) => {
  const { root, library } = fixture(t, { "elsewhere/x/SKILL.md": one, "user/skills/a/y/SKILL.md": one })
  symlinkSync(join(root, "elsewhere/x"), join(root, "user/skills/x"))
  symlinkSync(join(root, "elsewhere/x/SKILL.md"), join(root, "user/skills/z.md"))
  symlinkSync(join(root, "user/skills"), join(root, "user/skills/a/again"))
  symlinkSync(join(root, "nowhere"), join(root, "user/skills/broken"))
  const found = await library()
  assert.deepEqual(names(found), ["y", "x"])
  assert.deepEqual(diagnosticTexts(found), [])
})

test("a repository's link out of the workspace is not followed, and reported", async (t) => {
  const { root, library } = fixture(t, { "elsewhere/x/SKILL.md": one, "repo/.gong/skills/y/SKILL.md": one })
  symlinkSync(join(root, "elsewhere/x"), join(root, "repo/.gong/skills/x"))
  symlinkSync(join(root, "elsewhere/x/SKILL.md"), join(root, "repo/.gong/skills/z.md"))
  const found = await library()
  assert.deepEqual(names(found), ["y"])
  const text = `error 1 this link leads out of ${join(root, "repo")} and is not followed. Put the files there.`
  assert.deepEqual(diagnosticTexts(found), [text, text])
})

test("[SKILL-L.9] valid skills count beside invalid ones, which are each reported", async (t) => {
  const { root, library } = fixture(t, {
    "user/skills/good/SKILL.md": one,
    "user/skills/Odd/SKILL.md": one,
    "user/skills/bad/SKILL.md": "no header",
    "user/skills/notes.md": "# Our notes",
    "repo/.gong/skills/good/SKILL.md": one,
  })
  execFileSync("mkfifo", [join(root, "user/skills/pipe.md")])
  const found = await library()
  assert.deepEqual(names(found), ["Odd", "good"])
  assert.deepEqual(found.diagnostics.map(({ type, path }) => `${type} ${path.slice(root.length + 1)}`).toSorted(), [
    "collision repo/.gong/skills/good/SKILL.md",
    "error user/skills/bad/SKILL.md",
    "error user/skills/pipe.md",
    "warning user/skills/Odd/SKILL.md",
    "warning user/skills/notes.md",
  ])
})

test("[SKILL-D.1] a README beside skills is silently skipped; an explicitly named one is loaded", async (t) => {
  const header = skillFile({ name: "readme", description: "d" })
  const { library } = fixture(t, {
    "user/skills/good/SKILL.md": one,
    "user/skills/good/README.md": "# Good",
    "user/skills/README.md": "# Our skills",
    "user/skills/more/readme.md": "# More skills",
    "repo/.gong/skills/Readme.md": "---\ntitle: ours\n---\n\nText",
    "repo/.claude/skills/README.zh-CN.md": header,
    "repo/.pi/skills/readme-writer.md": skillFile({ description: "d" }),
    "named/README.md": header,
  })
  const found = await library({ paths: ["named/README.md"] })
  assert.deepEqual(names(found), ["good", "readme-writer", "readme"])
  assert.deepEqual(diagnosticTexts(found), [
    'warning 2 the name "readme" is not that of its place, "README". Make them the same.',
  ])
})

test("a location with too many folders is cut, and reported", async (t) => {
  const { root, library } = fixture(t, {})
  for (let at = 0; at < 1_010; at++) mkdirSync(join(root, `user/skills/f${at}`), { recursive: true })
  mkdirSync(join(root, "named/1/2/3/4/5/6/7/8/9"), { recursive: true })
  const cut = diagnosticTexts(await library({ paths: ["named"] })).filter((line) =>
    line.startsWith("error 1 more than 500 skills or 1000 folders"),
  )
  assert.equal(cut.length, 2)
})

test("changes are found by the next scan", async (t) => {
  const { root, library } = fixture(t, { "user/skills/a/SKILL.md": one })
  const found = await library()
  const path = join(root, "user/skills/a/SKILL.md")
  writeFileSync(path, skillFile({ description: "e" }))
  utimesSync(path, 1, 1)
  mkdirSync(join(root, "user/skills/b"))
  writeFileSync(join(root, "user/skills/b/SKILL.md"), one)
  const shown = () => found.skills.map(({ name, description }) => name + description)
  assert.deepEqual(shown(), ["ad"])
  await found.scan()
  assert.deepEqual(shown(), ["ae", "bd"])
})
