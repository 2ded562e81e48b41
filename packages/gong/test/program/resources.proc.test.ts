import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { openStage, type Stage } from "./harness.ts"
import { leave, openTerminal, say, skip } from "./terminal.ts"

const answering = { otherwise: { text: "Right." } }
const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`

/** The skills of the index in the last request. */
function offered(stage: Stage): readonly string[] {
  const last = stage.server.requests.at(-1)?.body as { readonly messages: readonly { content: unknown }[] } | undefined
  return Array.from(String(last?.messages[0]?.content).matchAll(/<name>(.*?)<\/name>/g), ([, name = ""]) => name)
}

test(
  "[SKILL-L.6] installed skills, --skill and skills of extensions are one list, also after /reload",
  { skip },
  async (t) => {
    const stage = await openStage(t, answering)
    const extension = join(stage.gongHome, "extensions/kit")
    stage.write({
      [join(stage.root, "package/installed/SKILL.md")]: skill("installed"),
      [join(stage.root, "late/later/SKILL.md")]: skill("later"),
      [join(stage.root, "named/SKILL.md")]: skill("named"),
      [join(extension, "index.mjs")]: `export default (gong) => gong.resources({ skills: ["skills"] })\n`,
      [join(extension, "skills/brought/SKILL.md")]: skill("brought"),
    })
    const added = await stage.gong(["skills", "add", join(stage.root, "package")])
    assert.equal(added.status, 0, added.err)
    const terminal = openTerminal(t, stage, ["--skill", join(stage.root, "named")])
    await say(terminal, "first", "Right.")
    assert.deepEqual(offered(stage).toSorted(), ["brought", "installed", "named"])
    await terminal.until("> ")
    const again = await stage.gong(["skills", "add", join(stage.root, "late")])
    assert.equal(again.status, 0, again.err)
    stage.write({ [join(extension, "more/second/SKILL.md")]: skill("second") })
    stage.write({
      [join(extension, "index.mjs")]: `export default (gong) => gong.resources({ skills: ["skills", "more"] })\n`,
    })
    await say(terminal, "/reload", "session ")
    await say(terminal, "second", "Right.")
    assert.deepEqual(offered(stage).toSorted(), ["brought", "installed", "later", "named", "second"])
    await leave(terminal)
    const listed = await stage.gong(["skills", "list", "--skill", join(stage.root, "named")])
    for (const name of ["brought", "installed", "later", "named", "second"])
      assert.match(listed.out, new RegExp(`^/skill:${name} `, "m"))
  },
)

test(
  "[RES-5] the chosen theme colours the output; a missing one is reported and has no effect",
  { skip },
  async (t) => {
    const stage = await openStage(t, answering)
    const made = await stage.gong(["-p", "where is the lighthouse"])
    assert.equal(made.status, 0, made.err)
    const settings = join(stage.gongHome, "settings.json")
    stage.write({
      [join(stage.gongHome, "themes/night.json")]: '{ "colors": { "match": "#ff8800", "strong": "brightBlue" } }',
      [settings]: '{ "theme": "night" }',
    })
    const search = async (env: object, ...args: readonly string[]) => {
      const run = await stage.gong(["sessions", "search", "lighthouse", ...args], {
        typed: "",
        env: { TERM: "xterm", COLORTERM: "", ...env },
      })
      assert.equal(run.status, 0, run.err)
      return run.out
    }
    const match = (code: string) => `\u001b[${code}mlighthouse\u001b[39m`
    const truecolor = await search({ COLORTERM: "truecolor" })
    assert.ok(truecolor.includes(match("38;2;255;136;0")), JSON.stringify(truecolor))
    assert.ok(truecolor.includes("\u001b[1;94m"), "what is strong stays so, in its colour")
    assert.ok((await search({ TERM: "xterm-256color" })).includes(match("38;5;208")))
    assert.ok((await search({ TERM: "xterm" })).includes(match("33")), "the nearest of sixteen is yellow")
    assert.ok(!(await search({ NO_COLOR: "1" })).includes("\u001b["), "without any colour where none is wanted")
    stage.write({
      [join(stage.gongHome, "themes/both.json")]: '{ "colors": { "match": "red" }, "light": { "match": "blue" } }',
    })
    const both = (env: object) => search(env, "--set", "theme=both")
    assert.ok((await both({})).includes(match("31")))
    assert.ok((await both({ COLORFGBG: "15;0" })).includes(match("31")))
    assert.ok((await both({ COLORFGBG: "0;default;15" })).includes(match("34")), "on a light background")
    const wrong = await search({}, "--set", "theme=nigth")
    assert.ok(wrong.includes('gong: there is no theme "nigth". Did you mean night? gong doctor lists'), wrong)
    assert.ok(wrong.includes(match("33")) && !wrong.includes("\u001b[1;94m"))
    assert.match((await stage.gong(["doctor"])).out, /^themes +both .*\n +night \(active\) .*themes\/night\.json$/m)
  },
)
