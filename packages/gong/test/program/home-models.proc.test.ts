import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { llamaStandIn } from "@gong/testing/llama"
import { eventsOf, ofType, openStage } from "./harness.ts"

test("a call that a local model writes as text is run, judged by the permissions, and marked on the tape", async (t) => {
  const call = (name: string, args: object) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`
  const stage = await openStage(t, {
    turns: [
      { text: `I look first.\n${call("read", { path: "a.txt" })}` },
      { text: call("bash", { command: "touch b.txt" }) },
      { text: "It says alpha." },
    ],
  })
  stage.write({ "a.txt": "alpha\n" })
  const run = await stage.gong(["--output", "events", "--permission", "plan", "what does a.txt say?"])
  assert.equal(run.status, 0, run.err)
  const results = ofType(eventsOf(run), "tool_execution_end")
  assert.deepEqual(
    results.map(({ name, status }) => [name, status]),
    [
      ["read", "ok"],
      ["bash", "refused"],
    ],
  )
  const calls = stage
    .entries()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "assistant"
        ? entry.message.content.filter((block) => block.type === "tool_call")
        : [],
    )
  assert.deepEqual(
    calls.map(({ name, written }) => [name, written]),
    [
      ["read", true],
      ["bash", true],
    ],
  )
})

for (const [language, small, none] of [
  ["en_US.UTF-8", /mock runs with a window of 8192 tokens; Gong needs 16k/, /chat template of mock has no tools/],
  ["zh_CN.UTF-8", /mock 运行时的窗口为 8192 token；Gong 需要 16k/, /mock 的对话模板没有工具/],
] as const)
  test(`a small window and a template without tools are reported once, and shown by doctor (${language})`, async (t) => {
    const { routes } = llamaStandIn({ window: 8192, template: "{{ messages }}" })
    const stage = await openStage(t, { routes, turns: [{ text: "One.", delayMs: 200 }], otherwise: { text: "Two." } })
    const env = { LC_ALL: language }
    const first = await stage.gong(["-p", "hello"], { env })
    assert.deepEqual([first.status, first.out], [0, "One.\n"], first.err)
    assert.match(first.err, small)
    assert.match(first.err, none)
    const doctor = await stage.gong(["doctor"], { env })
    assert.match(
      doctor.out,
      language === "en_US.UTF-8"
        ? /its server gives it a window of 8192 tokens\n +its template has no tools/
        : /它的服务器给出的窗口为 8192 token\n +它的模板没有工具/,
    )
  })

test("with compat.calls schema a model without tools in its template works with tools", async (t) => {
  const { routes } = llamaStandIn({ window: 32_768, template: "{{ messages }}" })
  const stage = await openStage(t, {
    routes,
    turns: [{ text: '{"tool":"read","arguments":{"path":"a.txt"}}' }, { text: '{"answer":"It says alpha."}' }],
  })
  stage.write({
    "a.txt": "alpha\n",
    [join(stage.gongHome, "models.json")]: JSON.stringify({
      providers: { custom: { models: { mock: { compat: { calls: "schema" } } } } },
    }),
  })
  const run = await stage.gong(["-p", "what does a.txt say?"])
  assert.deepEqual([run.status, run.out], [0, "It says alpha.\n"], run.err)
  assert.doesNotMatch(run.err, /template/)
  const [, second] = stage.server.requests
  assert.match(JSON.stringify(second?.body), /Result of read:/)
})
