import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { type ModelServerOptions, startModelServer } from "@gong/testing/model-server"
import { ollamaStandIn } from "@gong/testing/ollama"

const file = join(import.meta.dirname, "live.proc.test.ts")

/** The live tests in a separate process; returns the counts of node's runner. */
async function tier(
  env: Readonly<Record<string, string>>,
): Promise<{ passed: number; skipped: number; printed: string }> {
  const { PATH = "", HOME = "", TMPDIR = "" } = process.env
  const child = spawn(process.execPath, ["--test", "--test-reporter=tap", file], {
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let printed = ""
  child.stdout.on("data", (bytes: Buffer) => (printed += bytes.toString()))
  await new Promise((resolve) => child.on("close", resolve))
  const count = (word: string) => Number(new RegExp(`^# ${word} (\\d+)`, "m").exec(printed)?.[1])
  return { passed: count("pass"), skipped: count("skipped"), printed }
}

test("[TESTKIT-5] live tests are skipped by default, and run against any configured server", async (t) => {
  const without = await tier({})
  assert.deepEqual([without.passed, without.skipped], [0, 4])
  assert.match(without.printed, /SKIP no model: set GONG_E2E_BASE_URL/)

  const server = await startModelServer(script)
  t.after(() => server.close())
  const named = await tier({ GONG_E2E_BASE_URL: `${server.url}/v1`, GONG_E2E_MODEL: "any" })
  assert.deepEqual([named.passed, named.skipped], [4, 0], named.printed)
  assert.deepEqual(server.problems, [])
  const keys = server.requests.map(({ headers }) => headers["authorization"])
  assert.deepEqual(new Set(keys), new Set([undefined]), "no key of the tests goes to another server")
})

/** The replies of a model that does all four tasks; it accepts its reasoning under the name that it used. */
const script = {
  extensions: { message: ["reasoning_content"] },
  turns: [
    { text: "4" },
    { thinking: "I must look.", calls: [{ name: "read", args: { path: "note.txt" } }] },
    { text: "The word is heron." },
    { text: "1 2 3 4 5", delta: 2 },
    { text: "OK" },
    { text: "heron" },
  ],
}

/** This proves no row: rows of a live provider are proven by the live tests, which are skipped without one. */
async function standIn(
  t: TestContext,
  row: string,
  path: string,
  env: Readonly<Record<string, string>>,
  more: Partial<ModelServerOptions> = {},
) {
  const server = await startModelServer({ ...script, ...more })
  t.after(() => server.close())
  const { passed, skipped, printed } = await tier({ ...env, GONG_E2E_BASE_URL: server.url + path, GONG_E2E_KEY: "k" })
  assert.deepEqual([passed, skipped], [4, 0], printed)
  for (const number of [1, 2, 3, 4]) assert.match(printed, new RegExp(`^ok .*\\[${row}\\.${number}\\]`, "m"))
  assert.deepEqual([server.problems, server.left], [[], 0])
  return server
}

test("the live tests of openai pass against a fake of its API", async (t) => {
  await standIn(t, "PROVIDER-OPENAI", "/v1", { GONG_E2E: "openai", GONG_E2E_MODEL: "openai/gpt-5.1" })
})

test("the live tests of google pass against a fake of its API", async (t) => {
  const api = { GONG_E2E_API: "google-generative-ai", GONG_E2E_MODEL: "google/gemini-3.1-pro-preview" }
  await standIn(t, "PROVIDER-GOOGLE", "/v1beta", { GONG_E2E: "google", ...api })
})

for (const [id, model] of [
  ["deepseek", "deepseek-v4-pro"],
  ["groq", "openai/gpt-oss-120b"],
  ["xai", "grok-4.5"],
] as const) {
  const row = `PROVIDER-${id.toUpperCase()}`
  test(`the live tests of ${id} pass against a fake of its API`, async (t) => {
    const extensions = { message: ["reasoning_content"], request: ["thinking"] }
    await standIn(t, row, "/v1", { GONG_E2E: id, GONG_E2E_MODEL: `${id}/${model}` }, { extensions })
  })
}

test("the live tests of mistral pass against a fake of its API, which accepts only ids of nine characters", async (t) => {
  const env = { GONG_E2E: "mistral", GONG_E2E_MODEL: "mistral/devstral-latest" }
  const server = await standIn(t, "PROVIDER-MISTRAL", "/v1", env)
  const ids = JSON.stringify(server.requests.map(({ body }) => body)).matchAll(/"(?:tool_call_id|id)":"([^"]*)"/g)
  const seen = [...ids].map(([, id]) => id ?? "")
  assert.ok(seen.length >= 2)
  for (const id of seen) assert.match(id, /^[a-zA-Z0-9]{9}$/)
})

test("the live tests of ollama pass against a fake of its API, including its native endpoints", async (t) => {
  const { routes, asked } = ollamaStandIn([{ name: "qwen3-coder:30b" }], 32_768)
  const server = await startModelServer({ ...script, routes })
  t.after(() => server.close())
  const host = { OLLAMA_HOST: new URL(server.url).host }
  const { passed, printed } = await tier({ ...host, GONG_E2E: "ollama", GONG_E2E_MODEL: "qwen3-coder:30b" })
  assert.equal(passed, 4, printed)
  for (const number of [1, 2, 3, 4]) assert.match(printed, new RegExp(`^ok .*\\[PROVIDER-OLLAMA\\.${number}\\]`, "m"))
  assert.deepEqual([server.problems, server.left], [[], 0])
  assert.ok(asked.includes("POST /api/generate"))
})
