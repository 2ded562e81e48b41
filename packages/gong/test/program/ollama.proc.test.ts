import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import type { Routes, ScriptedTurn } from "@gong/testing/model-server"
import { ollamaStandIn, type StoredModel } from "@gong/testing/ollama"
import { sampleFor } from "../../src/commands/demo/sample.ts"
import { noServers, openStage, resultOf } from "./harness.ts"

// A model on this machine: an Ollama with simulated native API and chat, configured by OLLAMA_HOST alone.

const none = { GONG_MODEL: undefined, GONG_BASE_URL: undefined, GONG_API: undefined, GONG_API_KEY: undefined }
/** A machine that is busy with other tests answers late. */
const patient = ["--set", "local.wait=20000"]

const coder: StoredModel = { name: "qwen3-coder:30b", size: 18_000_000_000 }
const small: StoredModel = { name: "gemma2:2b", capabilities: ["completion"], trained: 8192 }

async function ollama(t: TestContext, models: readonly StoredModel[], window: number, turns: readonly ScriptedTurn[]) {
  const server = ollamaStandIn(models, window)
  const stage = await openStage(t, { turns, routes: server.routes })
  stage.write({ [`${stage.gongHome}/models.json`]: noServers })
  return { stage, server, env: { ...none, OLLAMA_HOST: new URL(stage.server.url).host } }
}

const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] })

test("[PROVIDER-14] gong -m ollama/... runs the demo task: finds the bug, repairs it, and the tests pass", async (t) => {
  const { stage, server, env } = await ollama(t, [coder, small], 32_768, [
    { text: "I look.", ...call("ls", {}) },
    call("grep", { pattern: "applyDiscount" }),
    call("read", { path: "src/cart.js" }),
    call("bash", { command: "node --test" }),
    call("edit", { path: "src/cart.js", oldText: "price - percent", newText: "price - (price * percent) / 100" }),
    call("bash", { command: "node --test" }),
    { text: "All tests pass." },
  ])
  stage.write(sampleFor(0).files)
  const run = await stage.gong(["--yolo", "--output", "json", "-m", "ollama/qwen3-coder:30b", "Fix the test."], { env })
  assert.equal(run.status, 0, run.err)
  const result = resultOf(run)
  assert.deepEqual([result.text, result.toolCalls, result.cost], ["All tests pass.", 6, null])
  assert.match(readFileSync(join(stage.repo, "src/cart.js"), "utf8"), /price \* percent/)
  const passed = stage
    .entries()
    .filter((entry) => entry.type === "message" && entry.message.role === "tool")
    .at(-1)
  assert.match(JSON.stringify(passed), /fail 0/)
  assert.match(run.err, /gong: Ollama loads qwen3-coder:30b \(18 GB\) \.\.\.\n/)
  assert.doesNotMatch(run.err, /token window/)
  assert.deepEqual(server.asked, [
    "GET /api/tags",
    "POST /api/show",
    "POST /api/show",
    "GET /api/ps",
    "POST /api/generate",
    "GET /api/ps",
  ])
  const [first] = stage.server.requests
  assert.deepEqual([first?.path, first?.headers["authorization"]], ["/v1/chat/completions", undefined])
})

test("a context window under 16k is reported before the first request, and used by the run", async (t) => {
  const { stage, env } = await ollama(t, [coder], 4096, [{ text: "Hello." }])
  const run = await stage.gong(["--output", "events", "-m", "ollama/qwen3-coder:30b", "Hi"], { env })
  assert.equal(run.status, 0, run.err)
  assert.match(
    run.err,
    /gong: This model runs with a 4,096 token window; Gong needs 16k\. Start Ollama with OLLAMA_CONTEXT_LENGTH=32768\.\n/,
  )
  assert.match(run.out, /"contextWindow":4096/)
})

test("an unusable ollama model is one line, without a request", async (t) => {
  const { stage, env } = await ollama(t, [coder, small], 32_768, [])
  const missing = await stage.gong(["-p", "-m", "ollama/llama9", "Hi"], { env })
  const host = env.OLLAMA_HOST
  assert.deepEqual(
    [missing.status, missing.out, missing.err],
    [
      2,
      "",
      `gong: Ollama on ${host} has no model llama9. Get it: ollama pull llama9 (with tools it has: qwen3-coder:30b)\n`,
    ],
  )
  const toolless = await stage.gong(["-p", "-m", "ollama/gemma2:2b", "Hi"], { env })
  assert.deepEqual(
    [toolless.status, toolless.err],
    [2, "gong: gemma2:2b has no tool calls: Gong cannot work with it. (with tools it has: qwen3-coder:30b)\n"],
  )
  const gone = await stage.gong(["-p", "-m", "ollama/x", "Hi"], { env: { ...env, OLLAMA_HOST: "127.0.0.1:1" } })
  assert.deepEqual([gone.status, gone.err], [2, "gong: Ollama is not running on 127.0.0.1:1. Start it: ollama serve\n"])
  assert.deepEqual(stage.sessions(), [])
})

test("without configuration the only local model with tool calls is used, with a notice; of two none is", async (t) => {
  const one = await ollama(t, [small, coder], 32_768, [{ text: "Hello." }])
  const run = await one.stage.gong(["-p", ...patient, "Hi"], { env: one.env })
  assert.deepEqual([run.status, run.out], [0, "Hello.\n"], run.err)
  assert.match(
    run.err,
    /^gong: no model is configured; using ollama\/qwen3-coder:30b, the only local model with tool calls\n/,
  )
  const two = await ollama(t, [coder, { name: "llama3.1:8b" }], 32_768, [])
  const asked = await two.stage.gong(["-p", ...patient, "Hi"], { env: two.env })
  assert.equal(asked.status, 2)
  assert.match(asked.err, /^gong: no model is configured\.\n/)
  assert.match(
    asked.err,
    /\n {2}Or Ollama on this machine \(127\.0\.0\.1:\d+\): -m ollama\/qwen3-coder:30b {2}-m ollama\/llama3\.1:8b\n$/,
  )
  assert.deepEqual(two.stage.sessions(), [])
})

test("a local server without model capabilities is reported, but not used automatically", async (t) => {
  const routes: Routes = (_, path) =>
    path === "/v1/models"
      ? { status: 200, body: { object: "list", data: [{ id: "coder", max_model_len: 65536 }] } }
      : undefined
  const stage = await openStage(t, { routes })
  const own = JSON.parse(noServers) as { providers: Record<string, object> }
  own.providers["vllm"] = { baseUrl: `${stage.server.url}/v1` }
  stage.write({ [`${stage.gongHome}/models.json`]: JSON.stringify(own) })
  const run = await stage.gong(["-p", ...patient, "Hi"], { env: none })
  const host = new URL(stage.server.url).host
  assert.deepEqual([run.status, run.out], [2, ""])
  assert.equal(run.err.split("\n").at(-2), `  Or vLLM on this machine (${host}): -m vllm/coder`)
})
