import assert from "node:assert/strict"
import { test } from "node:test"
import { formatSkills } from "../../src/prompt/skills.ts"

const skill = (name: string, description: string) => ({
  name,
  description,
  location: `/home/u/.gong/skills/${name}/SKILL.md`,
})

test("[SKILL-F.1] the intro and one block per skill: name, description, location", () => {
  assert.equal(
    formatSkills([skill("deploy", "How to deploy")]),
    `The following skills provide specialized instructions for specific tasks.
Use the read tool to load a skill's file when the task matches its description.
When a skill file references a relative path, resolve it against the skill directory...

<available_skills>
  <skill>
    <name>deploy</name>
    <description>How to deploy</description>
    <location>/home/u/.gong/skills/deploy/SKILL.md</location>
  </skill>
</available_skills>`,
  )
})

test("[SKILL-F.5] markup is escaped", () => {
  const text = formatSkills([skill("x", "<b> & </skill>")])
  assert.match(text, /<description>&lt;b&gt; &amp; &lt;\/skill&gt;<\/description>/)
  assert.equal(text.split("</skill>").length, 2)
})

test("[SKILL-F.6] ten skills take 1 to 2 KB, each 100 to 200 bytes", () => {
  const skills = Array.from({ length: 10 }, (_, index) => skill(`skill-${index}`, "Does one thing well"))
  const [ten, nine] = [formatSkills(skills).length, formatSkills(skills.slice(1)).length]
  assert.ok(ten >= 1000 && ten <= 2000, String(ten))
  assert.ok(ten - nine >= 100 && ten - nine <= 200, String(ten - nine))
})

test("[SKILL-V.11] the first 1024 characters of a description are shown", () => {
  const shown = (length: number) =>
    /<description>(.*)<\/description>/.exec(formatSkills([skill("x", "d".repeat(length))]))?.[1]
  assert.equal(shown(1024), "d".repeat(1024))
  assert.equal(shown(1025), "d".repeat(1024))
})

test("no skills, no text", () => {
  assert.equal(formatSkills([]), "")
})
