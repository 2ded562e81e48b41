import assert from "node:assert/strict"
import { test } from "node:test"
import { skillText, textOf } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import type { TemplateExpander } from "../../src/input/template-expander.ts"
import { place, start, tool } from "../world.ts"

const skill = "/s/release/SKILL.md"
const body = `do it so ${"step ".repeat(2_000)}`

/** `/skill:release` calls a skill of 10,000 characters. */
const expander: TemplateExpander = {
  refresh: async () => [],
  expand: (text) => ({
    ok: true,
    text: text.replace(/^\/skill:release ?/, `${skillText("release", skill, [body])}\n\n`),
  }),
  skillAt: (path) => (path === skill ? { name: "release", scope: "task" } : null),
}

/** Reads a skill, or returns about this many tokens. */
const read = tool("read", ({ path, tokens }) => (path === skill ? body : "word".repeat(Number(tokens))), {
  readOnly: true,
})
const look = (tokens: number, at: number) => ({ calls: [{ name: "read", arguments: { path: `/f${at}`, tokens } }] })

async function opened(script: readonly object[]) {
  const where = place()
  const provider = scriptedProvider(script, { clock: where.clock, model: { contextWindow: 40_000, maxOutput: 1_000 } })
  const running = await start(where, { tools: () => [read], provider, expander })
  const sent = () => (running.asked.at(-1) ?? []).map((message) => textOf(message))
  const prunes = () => running.entries().flatMap((entry) => (entry.type === "prune" ? [entry] : []))
  return { ...running, where, sent, prunes }
}

test("when old results make room, a skill of this task stays whole, and one of an earlier task is a line", async () => {
  const looks = (from: number) => Array.from({ length: 3 }, (_, at) => look(2_800, from + at))
  const running = await opened([
    { calls: [{ name: "read", arguments: { path: skill } }] },
    ...looks(0),
    { text: "one is done" },
    { calls: [{ name: "read", arguments: { path: skill } }] },
    ...looks(3),
    ...looks(6),
    { text: "two is done" },
  ])
  await running.session.prompt("/skill:release 1")
  assert.equal(running.prunes().length, 0, "there is room")
  assert.equal(running.sent().filter((text) => text.includes("do it so")).length, 2)
  await running.session.prompt("go on")
  assert.equal(running.prunes().length, 1)
  const texts = running.sent()
  const line = `[The skill "release" stood here; it is no longer in use. Read ${skill} if it is needed again.]`
  assert.equal(texts[0], `${line}\n\n1`, "called in the first task, and what was said with it stays")
  assert.equal(texts[2], line, "read in the first task")
  const whole = texts.filter((text) => text.includes("do it so"))
  assert.deepEqual(whole, [body], "read in this one")
  const last = JSON.stringify(running.asked.at(-1))
  const count = running.asked.at(-1)?.length
  running.kill()
  const again = await start(running.where, { tools: () => [read], script: [{ text: "well" }], expander })
  await again.session.prompt("and now")
  assert.equal(JSON.stringify(again.asked[0]?.slice(0, count)), last, "a session that goes on sends the same bytes")
})
