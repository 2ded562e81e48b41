import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError, textOf } from "@gong/spec"
import { scriptedProvider, type ScriptedTurn } from "@gong/llm/scripted"
import { settle } from "@gong/testing/sim/clock"
import { place, start, type StartOptions, tool } from "./world.ts"

const read = tool("read", () => "what stands there", { readOnly: true })
const isSummary = (ask: { readonly system: string }): boolean => ask.system.includes("You write summaries")

/** A session with two answers on two branches; summaries come from a separate model. */
async function opened(summaries: readonly ScriptedTurn[], options: StartOptions = {}) {
  const where = place()
  const writer = scriptedProvider(summaries, {
    clock: where.clock,
    model: { id: "writer" },
    delayMs: 100,
    deltaSize: 1,
  })
  const running = await start(where, {
    tools: () => [read],
    retry: { count: 0, baseMs: 1, random: () => 0 },
    compaction: { auto: true, reserveTokens: 16_384, keepTokens: 20_000, provider: async () => writer },
    script: [
      { text: "one" },
      { text: "I look", calls: [{ name: "read", arguments: { path: "/work/far.txt" } }] },
      { text: "two does not work: EPERM" },
      { text: "three" },
    ],
    ...options,
  })
  await running.session.prompt("first")
  const back = running.tape.leaf ?? ""
  await running.session.prompt('second, with "zebras"')
  const over = async (focus = "") => {
    const going = running.session.checkoutWithSummary(back, focus)
    await where.clock.advance(60_000)
    return going
  }
  const notifications = () =>
    running.steps.flatMap((step) =>
      "notification" in step && step.notification.code === "branch" ? [step.notification] : [],
    )
  return { ...running, where, back, over, writer, notifications }
}

test("[SESSION-13] the abandoned branch is summarized by the summary model, and the next request includes the summary", async () => {
  const running = await opened([{ text: "## Tried\nzebras\n## Found\nEPERM" }])
  const end = await running.over("the zebras")
  assert.deepEqual(end, {
    status: "done",
    summary: "## Tried\nzebras\n## Found\nEPERM\n\n<read-files>\n/work/far.txt\n</read-files>",
  })
  const [ask] = running.writer.requests
  assert.ok(ask !== undefined && isSummary(ask) && ask.tools.length === 0)
  const prompt = textOf(ask.messages[0] ?? assert.fail())
  assert.match(prompt, /\[User\]: second, with "zebras"/)
  assert.match(prompt, /two does not work: EPERM/)
  assert.match(prompt, /pay special attention to this: the zebras/)
  assert.doesNotMatch(prompt, /\[User\]: first/, "what both branches have is not left")
  const calls = running
    .entries()
    .flatMap((entry) => (entry.type === "model_call" ? [[entry.purpose, entry.model]] : []))
  assert.deepEqual(calls, [["branch", "scripted/writer"]])
  await running.session.prompt("third")
  const texts = (running.asked.at(-1) ?? []).map((message) => textOf(message))
  assert.deepEqual([texts.length, texts[0], texts[1], texts[3]], [4, "first", "one", "third"])
  assert.match(texts[2] ?? "", /another branch of this conversation, which was left:\n\n<summary>\n## Tried/)
})

test("[SESSION-13] without a summary the session continues and reports the reason", async () => {
  const running = await opened([{ failure: failure("quota", "no credit left") }])
  const end = await running.over()
  assert.deepEqual([end.status, end.summary, end.failure?.kind], ["failed", "", "quota"])
  assert.deepEqual(
    running.notifications().map(({ text }) => text),
    ["summing up the branch that is left", "the branch that was left has no summary: no credit left"],
  )
  await running.session.prompt("third")
  assert.deepEqual(
    (running.asked.at(-1) ?? []).map((message) => textOf(message)),
    ["first", "one", "third"],
  )
})

test("an abort leaves the session where it was, and nothing else works beside the summary", async () => {
  const running = await opened([{ text: "too slow to be waited for" }])
  const { leaf } = running.tape
  const going = running.session.checkoutWithSummary(running.back, "")
  for (let round = 0; round < 5; round++) await settle()
  const busy = (error: unknown) => error instanceof FailureError && error.failure.kind === "denied"
  assert.equal(running.session.running, true)
  await assert.rejects(running.session.prompt("now"), busy)
  await assert.rejects(running.session.compact(), busy)
  assert.throws(() => running.session.checkout(running.back, ""), busy)
  running.session.abort()
  await running.where.clock.advance(1_000)
  assert.equal((await going).status, "interrupted")
  const after = running.entries().slice(running.entries().findIndex(({ id }) => id === leaf) + 1)
  assert.deepEqual(
    after.map(({ type }) => type),
    ["model_call"],
    "what it cost, and no other branch",
  )
  assert.equal(running.session.running, false)
})

test("without messages on the branch no request is made; an unknown step is reported", async () => {
  const running = await opened([])
  const here = running.tape.leaf ?? ""
  assert.deepEqual(await running.session.checkoutWithSummary(here, ""), { status: "nothing", summary: "" })
  assert.deepEqual([running.writer.requests.length, running.notifications().length], [0, 0])
  await assert.rejects(
    running.session.checkoutWithSummary("nowhere", ""),
    (error) => error instanceof FailureError && error.failure.kind === "bad-request",
  )
})
