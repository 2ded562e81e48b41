import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage, resultOf } from "./harness.ts"

// A task over openai-responses, configured by the command line alone.

const spoken = ["--api", "openai-responses", "-m", "openai/gpt-5.1:high"]

interface Body {
  readonly store: boolean
  readonly reasoning: object
  readonly input: readonly Readonly<Record<string, unknown>>[]
}

test("[PROVIDER-03] [PROVIDER-ID.4] --api openai-responses runs a task with a tool, and the next run has its context", async (t) => {
  const stage = await openStage(t, {
    turns: [
      {
        thinking: "I must look.",
        text: "I look.",
        calls: [{ name: "read", args: { path: "a.txt" } }],
        usage: { input: 20, output: 40, cacheRead: 100, reasoning: 8 },
      },
      { text: "It says alpha." },
      { text: "alpha, as I said." },
    ],
  })
  stage.write({ "a.txt": "alpha\n" })
  const env = { GONG_API: undefined }
  const first = await stage.gong(["-p", ...spoken, "What does a.txt say?"], { env })
  assert.deepEqual([first.status, first.out], [0, "It says alpha.\n"], first.err)
  const again = await stage.gong(["-c", "--output", "json", ...spoken, "Again?"], { env })
  assert.deepEqual([again.status, resultOf(again).text], [0, "alpha, as I said."], again.err)

  const { requests } = stage.server
  assert.deepEqual(
    requests.map(({ path }) => path),
    ["/v1/responses", "/v1/responses", "/v1/responses"],
  )
  const last = requests.at(-1)
  assert.ok(last)
  const { store, reasoning, input } = last.body as Body
  assert.deepEqual([store, reasoning], [false, { effort: "high", summary: "auto" }])
  assert.deepEqual(
    input.map((item) => item["type"] ?? item["role"]),
    ["user", "reasoning", "assistant", "function_call", "function_call_output", "assistant", "user"],
  )
  const [, thought, , call, output] = input
  assert.deepEqual([thought?.["id"], thought?.["encrypted_content"]], ["rs_reply_1", "sealed-12"])
  assert.deepEqual([call?.["id"], call?.["call_id"], output?.["call_id"]], ["fc_reply_1_0", "call_1_1", "call_1_1"])
  assert.match(String(output?.["output"]), /alpha/)
  const [usage] = stage
    .entries()
    .flatMap((entry) => (entry.type === "message" && entry.message.role === "assistant" ? [entry.message.usage] : []))
  assert.deepEqual(usage, { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 })
})
