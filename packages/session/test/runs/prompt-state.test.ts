import assert from "node:assert/strict"
import { test } from "node:test"
import type { Hook, Provider, Tool } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import { promptFor, samePrompt } from "../../src/runs/prompt-state.ts"
import { place, type Place, type Running, start, type StartOptions, tool } from "../world.ts"

/** The first message of each request. */
async function asking(where: Place, options: StartOptions = {}) {
  const sent: { system: string; tools: readonly string[] }[] = []
  const inner = scriptedProvider(Array(9).fill({ text: "ok" }), { clock: where.clock })
  const provider: Provider = {
    model: inner.model,
    stream(ask) {
      sent.push({ system: ask.system, tools: ask.tools.map(({ name }) => name) })
      return inner.stream(ask)
    },
  }
  return { ...(await start(where, { provider, ...options })), sent }
}

const prompts = ({ tape }: Running): number => tape.entriesOfBranch().filter(({ type }) => type === "prompt").length
const minute = 60_000
const day = 24 * 60 * minute

test("the prompt is built once and written once, for any number of runs", async () => {
  const where = place()
  const running = await asking(where)
  await running.session.prompt("one")
  await where.clock.advance(5 * minute)
  await running.session.prompt("two")
  assert.equal(running.sent[0]?.system, running.sent[1]?.system)
  assert.equal(prompts(running), 1)
})

test("a resumed session sends the same bytes again, and a new text on another day", async () => {
  const where = place()
  const first = await asking(where)
  await first.session.prompt("one")
  first.tape.close()
  await where.clock.advance(5 * minute)
  const second = await asking(where)
  await second.session.prompt("two")
  assert.equal(second.sent[0]?.system, first.sent[0]?.system)
  assert.equal(prompts(second), 1)
  await where.clock.advance(day)
  await second.session.prompt("three")
  assert.notEqual(second.sent[1]?.system, first.sent[0]?.system)
  assert.equal(prompts(second), 2)
})

test("[TOOLCFG-S.5] [TOOLCFG-S.7] [PROMPT-18] tools that changed are in the next request, with a prompt built for them", async () => {
  const tools: Tool[] = [tool("one", () => ""), tool("two", () => "")]
  const running = await asking(place(), { tools: () => [...tools] })
  await running.session.prompt("first")
  tools.pop()
  await running.session.prompt("second")
  assert.deepEqual(
    running.sent.map((ask) => ask.tools),
    [["one", "two"], ["one"]],
  )
  assert.match(running.sent[0]?.system ?? "", /^tools: one two;/)
  assert.match(running.sent[1]?.system ?? "", /^tools: one;/)
  assert.equal(prompts(running), 2)
})

test("[AGENT-S.28] a system prompt of the user is sent", async () => {
  const running = await asking(place(), { prompt: { build: () => "You are a poet." } })
  await running.session.prompt("hi")
  assert.equal(running.sent[0]?.system, "You are a poet.")
})

test("a hook's change of the prompt is sent, stored, and does not break the cache in the next run", async () => {
  const where = place()
  const hook: Hook = { name: "more", onBeforeAgent: async (_, system) => ({ system: `${system} And be kind.` }) }
  const running = await asking(where, { hooks: [hook] })
  await running.session.prompt("one")
  await where.clock.advance(5 * minute)
  await running.session.prompt("two")
  assert.match(running.sent[0]?.system ?? "", /And be kind\.$/)
  assert.equal(running.sent[1]?.system, running.sent[0]?.system)
  assert.equal(prompts(running), 1)
})

test("a prompt that a power cut tore is built again", async () => {
  const where = place()
  const first = await asking(where)
  await first.session.prompt("one")
  first.kill()
  for (const name of where.disk.list("/sessions/s1/artifacts")) {
    const path = `/sessions/s1/artifacts/${name}`
    where.disk.unlink(path)
    const file = where.disk.open(path, "create")
    where.disk.write(file, Buffer.from('{"system":"half a pro'))
    where.disk.close(file)
  }
  const second = await asking(where)
  assert.equal((await second.session.prompt("two")).status, "done")
  assert.match(second.sent[0]?.system ?? "", /^tools: read write edit bash ls;/)
})

test("a disk that cannot keep the prompt does not stop a run; it is kept when there is room", async () => {
  let full = false
  const where = place({ fault: ({ name }) => (full && name === "write" ? { code: "ENOSPC" } : null) })
  const running = await asking(where)
  full = true
  assert.equal((await running.session.prompt("one")).status, "done")
  assert.equal(prompts(running), 0)
  full = false
  assert.equal((await running.session.prompt("two")).status, "done")
  assert.equal(prompts(running), 1)
  assert.equal(running.sent[0]?.system, running.sent[1]?.system)
})

test("a prompt is built again on another day (UTC), or for other tools or another text", async () => {
  const source = { build: (_: unknown, builtAt: number) => `at ${builtAt}` }
  const one = tool("one", () => "")
  const first = await promptFor(source, [one], day, null)
  assert.deepEqual(first, {
    system: `at ${day}`,
    tools: [{ name: "one", description: "one", parameters: one.parameters }],
    builtAt: day,
  })
  assert.equal(await promptFor(source, [one], 2 * day - 1, first), first)
  assert.equal((await promptFor(source, [one], 2 * day, first)).builtAt, 2 * day)
  assert.equal((await promptFor(source, [one], day - 1, first)).builtAt, day - 1)
  assert.equal((await promptFor(source, [], day + 5, first)).builtAt, day + 5)
  assert.equal((await promptFor({ build: () => "other" }, [one], day + 5, first)).system, "other")
  assert.deepEqual(
    [samePrompt(first, { ...first }), samePrompt(first, { ...first, system: "" }), samePrompt(first, null)],
    [true, false, false],
  )
})
