import { englishOf } from "@gong/spec"
import assert from "node:assert/strict"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test, type TestContext } from "node:test"
import { readConfig } from "../../src/compose/config.ts"
import { type Resources, readResources } from "../../src/compose/resources/resources.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import { must } from "@gong/config/usage"
import { servicesOf } from "./services.ts"

const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`
const colours = (colors: object) => JSON.stringify({ colors })

interface Place {
  readonly repo: string
  readonly gong: string
  readonly named: string
  write(files: Readonly<Record<string, string>>): void
  load(options?: SessionSpec): Promise<Resources>
}

function placeOf(t: TestContext): Place {
  const world = servicesOf(t)
  const gong = world.env["GONG_HOME"] ?? ""
  const named = join(dirname(gong), "named")
  return {
    repo: world.cwd,
    gong,
    named,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
    },
    async load(options = {}) {
      const all: SessionSpec = { trust: "yes", ...options }
      return must(await readResources(world, all, must(await readConfig(world, all))))
    },
  }
}

function namesOf({ skills, templates, themes, extensions, contextFiles }: Resources) {
  const named = (all: readonly { readonly name: string; readonly level: string }[]) =>
    all.filter(({ level }) => level !== "shipped").map(({ name, level }) => `${level} ${name}`)
  return {
    skills: named(skills),
    templates: named(templates),
    themes: named(themes),
    extensions: named(extensions.rows),
    contextFiles: contextFiles.map(({ path }) => path),
  }
}

test("[RES-1] skills, templates, themes, extensions and context files of all locations are one result, and a reload returns a new one", async (t) => {
  const { repo, gong, named, write, load } = placeOf(t)
  write({
    [`${gong}/skills/a/SKILL.md`]: skill("a"),
    [`${gong}/prompts/p.md`]: "P $1",
    [`${gong}/themes/night.json`]: colours({ match: "#ff8800" }),
    [`${gong}/extensions/x.mjs`]: "export default () => undefined\n",
    [`${gong}/AGENTS.md`]: "mine",
    [`${repo}/.gong/skills/b/SKILL.md`]: skill("b"),
    [`${repo}/.gong/prompts/q.md`]: "Q",
    [`${repo}/.gong/themes/day.json`]: colours({ added: "blue" }),
    [`${repo}/.gong/extensions/y.mjs`]: "export default () => undefined\n",
    [`${repo}/AGENTS.md`]: "ours",
    [`${named}/c/SKILL.md`]: skill("c"),
    [`${named}/r.md`]: "R",
    [`${named}/z.mjs`]: "export default () => undefined\n",
  })
  const options: SessionSpec = {
    skill: [join(named, "c")],
    promptTemplate: [join(named, "r.md")],
    extension: [join(named, "z.mjs")],
    set: [`theme=${named}/dusk.json`],
  }
  write({ [`${named}/dusk.json`]: colours({}) })
  const first = await load(options)
  assert.deepEqual(namesOf(first), {
    skills: ["user a", "project b", "path c"],
    templates: ["user p", "project q", "path r"],
    themes: ["user night", "project day", "path dusk"],
    extensions: ["user x", "project y", "path z"],
    contextFiles: [join(gong, "AGENTS.md"), join(repo, "AGENTS.md")],
  })
  assert.deepEqual(first.diagnostics, [])

  rmSync(join(gong, "skills/a"), { recursive: true })
  rmSync(join(repo, "AGENTS.md"))
  write({
    [`${gong}/skills/d/SKILL.md`]: skill("d"),
    [`${gong}/themes/noon.json`]: colours({}),
    [`${gong}/extensions/w.mjs`]: "export default () => undefined\n",
  })
  const again = namesOf(await load(options))
  assert.deepEqual(again.skills, ["user d", "project b", "path c"])
  assert.deepEqual(again.themes, ["user night", "user noon", "project day", "path dusk"])
  assert.deepEqual(again.extensions, ["user w", "user x", "project y", "path z"])
  assert.deepEqual(again.contextFiles, [join(gong, "AGENTS.md")])

  const untrusted = namesOf(await load({ ...options, trust: "no" }))
  assert.deepEqual(untrusted.templates, ["user p", "path r"])
  assert.deepEqual(untrusted.themes, ["user night", "user noon", "path dusk"])
  assert.deepEqual(untrusted.extensions, ["user w", "user x", "path z"])
})

test("[RES-2] an invalid resource of each kind is a diagnostic with its location; the rest is loaded and nothing throws", async (t) => {
  const { repo, gong, write, load } = placeOf(t)
  const good = "export default () => undefined\n"
  write({
    [`${gong}/skills/good/SKILL.md`]: skill("good"),
    [`${gong}/skills/silent/SKILL.md`]: "---\nname: silent\n---\nNo description.\n",
    [`${gong}/skills/Odd/SKILL.md`]: skill("Odd"),
    [`${repo}/.gong/skills/good/SKILL.md`]: skill("good"),
    [`${gong}/prompts/good.md`]: "Good",
    [`${gong}/prompts/zero.md`]: "one\n\nArgument $0.\n",
    [`${gong}/themes/good.json`]: '{\n  // mine\n  "colors": { "match": "#f80", },\n}\n',
    [`${gong}/themes/broken.json`]: '{\n  "colors": {,\n}\n',
    [`${gong}/themes/odd.json`]:
      '{\n  "colors": {\n    "matc": "red",\n    "muted": "greyish"\n  },\n  "fonts": 1\n}\n',
    [`${gong}/extensions/good.mjs`]: good,
    [`${gong}/extensions/throws.mjs`]: "\nthrow new Error('not today')\n",
    [`${gong}/extensions/typo.ts`]: "export default function (gong {\n}\n",
    [`${gong}/extensions/rejects.mjs`]: "export default async () => {\n  throw new TypeError('no')\n}\n",
    [`${repo}/.gong/extensions/good.mjs`]: good,
    [`${repo}/AGENTS.md`]: "See @../../etc/passwd.",
  })
  symlinkSync("/dev/zero", join(gong, "themes/endless.json"))
  const found = await load()
  const { skills, templates, themes, extensions } = namesOf(found)
  assert.deepEqual(
    [skills, templates],
    [
      ["user Odd", "user good"],
      ["user good", "user zero"],
    ],
  )
  assert.deepEqual([themes, extensions.length], [["user good", "user odd"], 4])
  const loaded = found.extensions.rows.filter(({ brings }) => brings !== null)
  assert.deepEqual(
    loaded.map(({ name }) => name),
    ["good"],
  )
  const short = (path: string) => path.replace(`${gong}/`, "~/").replace(`${repo}/`, "./")
  const printed = found.diagnostics.map(
    ({ type, path, line, text }) => `${type} ${short(path)}:${line} ${short(englishOf(text))}`,
  )
  const expected = [
    /^collision \.\/\.gong\/extensions\/good\.mjs:null this extension is left out: .* has its name\. Rename one/,
    /^error ~\/extensions\/throws\.mjs:2 .*not today.* The extension throws is off\. Mend it; \/reload loads it again\./,
    /^error ~\/extensions\/typo\.ts:1 .*The extension typo is off\./,
    /^error ~\/extensions\/rejects\.mjs:2 .*no\. The extension rejects is off\./,
    /^error \.\/AGENTS\.md:null this file imports \.\.\/\.\.\/etc\/passwd, which is not a file for that; it is left out\./,
    /^error ~\/skills\/silent\/SKILL\.md:1 a skill needs a description: /,
    /^warning ~\/skills\/Odd\/SKILL\.md:2 the name "Odd" may hold only lower-case letters/,
    /^collision \.\/\.gong\/skills\/good\/SKILL\.md:1 the skill "good" is left out: /,
    /^error ~\/prompts\/zero\.md:3 \$0: arguments count from 1\. Write \$1, or \$@ for all\./,
    /^error ~\/themes\/broken\.json:2 this is no JSON: .*\. Fix it there, or move the file away\./,
    /^error ~\/themes\/endless\.json:1 this is no regular file/,
    /^error ~\/themes\/odd\.json:3 there is no "matc" to colour\. A theme colours strong, muted/,
    /^error ~\/themes\/odd\.json:4 "greyish" is no colour\. Write "#ff8800", or one of black, red/,
    /^error ~\/themes\/odd\.json:6 there is no "fonts" in a theme; it is left out\./,
  ]
  for (const one of expected)
    assert.ok(
      printed.some((line) => one.test(line.replaceAll("\n", " "))),
      `${one}:\n${printed.join("\n")}`,
    )
  assert.equal(printed.length, expected.length, printed.join("\n"))
})

test("resources of a repository's extension lie in its folder with trusted content; other paths are reported", async (t) => {
  const { repo, gong, write, load } = placeOf(t)
  const resources = `{ skills: ["skills"], prompts: ["prompts", "../../../secret"], themes: ["themes"] }`
  write({
    [`${repo}/.gong/extensions/kit/index.mjs`]: `export default (gong) => gong.resources(${resources})\n`,
    [`${repo}/.gong/extensions/kit/skills/kit/SKILL.md`]: skill("kit"),
    [`${repo}/.gong/extensions/kit/prompts/deploy.md`]: "Deploy",
    [`${repo}/.gong/extensions/kit/themes/loud.json`]: colours({ match: "red" }),
    [`${repo}/secret/steal.md`]: "Steal",
    [`${gong}/extensions/mine.mjs`]: `export default (gong) => gong.resources({ skills: ["./nowhere"] })\n`,
  })
  const found = await load()
  const { skills, templates, themes } = namesOf(found)
  assert.deepEqual([skills, templates, themes], [["project kit"], ["project deploy"], ["project loud"]])
  const printed = found.diagnostics.map(({ path, text }) => `${path}: ${englishOf(text)}`)
  assert.deepEqual(printed, [
    `${gong}/extensions/nowhere: an extension names this, and there is no such file or folder.`,
    `${repo}/secret: an extension of the folder names this; it may bring what is in ${repo}/.gong/extensions.`,
  ])
  const untrusted = namesOf(await load({ trust: "no" }))
  assert.deepEqual([untrusted.skills, untrusted.templates, untrusted.themes], [[], [], []])
})
