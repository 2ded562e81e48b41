import assert from "node:assert/strict"
import { test } from "node:test"
import { builtInDeclarations } from "@gong/tools"
import { type Message, skillText, type SkillScope } from "@gong/spec"
import { skillUses } from "../../src/compaction/skills.ts"
import { reply, result, user } from "./messages.ts"

const scopes: Readonly<Record<string, SkillScope>> = {
  "/s/task/SKILL.md": "task",
  "/s/two/SKILL.md": 2,
  "/s/all/SKILL.md": "session",
}
const skillAt = (path: string) => {
  const scope = scopes[path]
  return scope === undefined ? null : { name: path.split("/")[2] ?? "", scope }
}
const uses = (messages: readonly Message[], taskFrom: number) =>
  skillUses(messages, { skillAt, declared: builtInDeclarations, taskFrom }).map(
    ({ at, over }) => `${at} ${over ? "over" : "in use"}`,
  )

const read = (id: string, path: string, more: Parameters<typeof result>[2] = {}): readonly Message[] => [
  reply("", [{ id, name: "read", args: { path } }]),
  result(id, "do it so", more),
]

test("a skill is in use for its task, for so many replies, or as long as the session", () => {
  const talk = [
    user("begin"),
    ...read("c1", "/s/task/SKILL.md"),
    ...read("c2", "/s/two/SKILL.md"),
    ...read("c3", "/s/all/SKILL.md"),
    reply("done"),
  ]
  assert.deepEqual(uses(talk, 0), ["2 in use", "4 over", "6 in use"])
  assert.deepEqual(uses(talk.slice(0, -1), 0), ["2 in use", "4 in use", "6 in use"], "one reply since")
  assert.deepEqual(uses(talk, talk.length), ["2 over", "4 over", "6 in use"], "another task")
})

test("a skill that was called by name is found in the message; a removed one counts for its task", () => {
  const called = [
    user(skillText("two", "/s/two/SKILL.md", ["do it so"])),
    reply("a"),
    user(skillText('a "b" <c>', "/s/gone/SKILL.md", ["</skill> is how it ends", "x"])),
    reply("b"),
    user('<skill name="x" location="/s/all/SKILL.md"> is not the form'),
  ]
  assert.deepEqual(uses(called, 4), ["0 over", "2 over"])
  assert.deepEqual(uses(called, 2), ["0 over", "2 in use"])
  const [, gone] = skillUses(called, { skillAt, declared: builtInDeclarations, taskFrom: 4 })
  assert.equal(
    gone?.line,
    '[The skill "a "b" <c>" stood here; it is no longer in use. Read /s/gone/SKILL.md if it is needed again.]',
  )
})

test("only results of the read tool for a skill's file count, whatever path the model wrote", () => {
  const seen = { seen: { path: "/s/task/SKILL.md", size: 1, mtimeMs: 1 } }
  const talk = [
    ...read("c1", "../s/task/SKILL.md", { details: seen }),
    ...read("c2", "/s/task/SKILL.md", { status: "error", isError: true }),
    ...read("c3", "/s/task/notes.md"),
    reply("", [{ id: "c4", name: "grep", args: { path: "/s/task/SKILL.md" } }]),
    result("c4", "a hit"),
  ]
  assert.deepEqual(uses(talk, 100), ["1 over"])
})
