import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage, resultOf } from "./harness.ts"

// A task over google-generative-ai, configured by the command line alone.

interface Body {
  readonly systemInstruction: object
  readonly generationConfig: object
  readonly contents: readonly { readonly role: string; readonly parts: readonly Readonly<Record<string, unknown>>[] }[]
}

/** The name has the server hold the model to its signatures. */
const model = "google/gemini-3-pro-preview:high"

test("[PROVIDER-04] [PROVIDER-SYS.4] --api google-generative-ai runs a task with a tool, and the next run has its context", async (t) => {
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
  const env = { GONG_API: undefined, GONG_BASE_URL: undefined }
  const spoken = ["-m", model, "--base-url", `${stage.server.url}/v1beta`, "--api", "google-generative-ai"]
  const first = await stage.gong(["-p", ...spoken, "What does a.txt say?"], { env })
  assert.deepEqual([first.status, first.out], [0, "It says alpha.\n"], first.err)
  const again = await stage.gong(["-c", "--output", "json", ...spoken, "Again?"], { env })
  assert.deepEqual([again.status, resultOf(again).text], [0, "alpha, as I said."], again.err)

  const { requests } = stage.server
  const path = "/v1beta/models/gemini-3-pro-preview:streamGenerateContent"
  assert.deepEqual(
    requests.map((request) => request.path),
    [path, path, path],
  )
  const last = requests.at(-1)
  assert.ok(last)
  const { contents } = last.body as Body
  assert.deepEqual(
    contents.map(({ role, parts }) => [role, ...parts.map((part) => Object.keys(part).join())]),
    [
      ["user", "text"],
      ["model", "text,thought", "text", "functionCall,thoughtSignature"],
      ["user", "functionResponse"],
      ["model", "text"],
      ["user", "text"],
    ],
  )
  const signature = Buffer.from("sealed reply_1").toString("base64")
  assert.deepEqual(contents[1]?.parts[2]?.["thoughtSignature"], signature)
  assert.match(JSON.stringify(contents[2]), /alpha/)
  const [usage] = stage
    .entries()
    .flatMap((entry) => (entry.type === "message" && entry.message.role === "assistant" ? [entry.message.usage] : []))
  assert.deepEqual(usage, { input: 20, output: 40, cacheRead: 100, cacheWrite: 0, reasoning: 8 })
})

test("[PROVIDER-04] a session of another wire format continues over google-generative-ai with its calls and reasoning", async (t) => {
  const stage = await openStage(t, {
    api: "anthropic-messages",
    turns: [
      { thinking: "I must look.", calls: [{ name: "read", args: { path: "a.txt" } }] },
      { text: "alpha" },
      { text: "alpha still" },
    ],
  })
  stage.write({ "a.txt": "alpha\n" })
  assert.equal((await stage.gong(["-p", "What does a.txt say?"])).status, 0)
  const env = { GONG_API: "google-generative-ai", GONG_BASE_URL: `${stage.server.url}/v1beta`, GONG_MODEL: model }
  const run = await stage.gong(["-p", "-c", "Again?"], { env })
  assert.deepEqual([run.status, run.out], [0, "alpha still\n"], run.err)
  const last = stage.server.requests.at(-1)
  assert.ok(last)
  const { contents } = last.body as Body
  const [thought, call] = contents[1]?.parts ?? []
  assert.match(String(thought?.["text"]), /^<thinking>\n/)
  assert.equal(call?.["thoughtSignature"], "skip_thought_signature_validator")
})
