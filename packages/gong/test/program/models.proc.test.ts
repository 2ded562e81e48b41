import assert from "node:assert/strict"
import { test } from "node:test"
import { openStage } from "./harness.ts"

// All commands that list or check models: the list, the keys, the default among several, the user's own file, two sites of one company.

const none = { GONG_MODEL: undefined, GONG_BASE_URL: undefined, GONG_API: undefined, GONG_API_KEY: undefined }
const nowhere = { ...none, OLLAMA_HOST: "127.0.0.1:1" }

test("[PROVIDER-CAT.1] gong models searches by name, with context windows and prices; a star marks providers with a key", async (t) => {
  const stage = await openStage(t)
  const env = { ...nowhere, ANTHROPIC_API_KEY: "sk-ant-secret-0123456789" }
  const run = await stage.gong(["models", "sonnet-4-5"], { env })
  assert.equal(run.status, 0, run.err)
  const lines = run.out.split("\n")
  assert.match(lines[0] ?? "", /model +context +reply +thinking +images +per million tokens/)
  const own = lines.filter((line) => line.startsWith("*  anthropic/claude-sonnet-4-5 "))
  assert.equal(own.length, 1)
  assert.match(own[0] ?? "", /200k +64k +yes +yes +\$3 \/ \$15 \/ \$0\.3$/)
  assert.ok(!run.out.includes("secret"))

  const json = await stage.gong(["models", "zhipu/glm-5.3", "--json"], { env })
  const [first] = JSON.parse(json.out) as Readonly<Record<string, unknown>>[]
  assert.deepEqual(first, {
    provider: "zhipu",
    id: "glm-5.3",
    contextWindow: 1_000_000,
    maxOutput: 131_072,
    reasoning: true,
    images: false,
    price: { input: 8, output: 28, cacheRead: 2, yuanPerDollar: 6.7 },
    key: null,
    default: true,
  })
  assert.deepEqual(stage.server.requests.length, 0)
})

test("gong models --keys lists the variables of each provider and which are set, never a key", async (t) => {
  const stage = await openStage(t)
  const env = { ...nowhere, DEEPSEEK_API_KEY: "sk-secret-0123456789" }
  const run = await stage.gong(["models", "--keys"], { env })
  assert.match(run.out, /^\* {2}deepseek +DEEPSEEK_API_KEY +DeepSeek .*\(key from DEEPSEEK_API_KEY\)$/m)
  assert.match(run.out, /^ {3}openai +OPENAI_API_KEY +OpenAI/m)
  assert.ok(!run.out.includes("secret"))
  const json = await stage.gong(["models", "--keys", "--json"], { env })
  const rows = JSON.parse(json.out) as { readonly id: string; readonly key: string | null }[]
  assert.deepEqual(
    rows.filter(({ key }) => key !== null).map(({ id, key }) => [id, key]),
    [["deepseek", "DEEPSEEK_API_KEY"]],
  )
})

test("of several keys the first in order is used, and the line counts the others", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "Hello." }], extensions: { request: ["thinking"] } })
  // A base URL of models.json leads to the stage; both sites of Moonshot read one variable and count once.
  const path = `${stage.gongHome}/models.json`
  stage.write({ [path]: JSON.stringify({ providers: { deepseek: { baseUrl: `${stage.server.url}/v1` } } }) })
  const env = {
    ...nowhere,
    DEEPSEEK_API_KEY: "sk-d-0123456789",
    MOONSHOT_API_KEY: "sk-m-0123456789",
    XAI_API_KEY: "xai-0123456789",
  }
  const run = await stage.gong(["-p", "--thinking", "high", "Hi"], { env })
  assert.deepEqual([run.status, run.out], [0, "Hello.\n"], run.err)
  assert.match(
    run.err,
    /^deepseek\/deepseek-v4-pro from DEEPSEEK_API_KEY \(2 other providers have keys; -m or gong models\) · /m,
  )
})

test("the mainland and international site of a provider are separate rows", async (t) => {
  for (const id of ["qwen", "qwen-cn"]) {
    const stage = await openStage(t, {
      turns: [{ text: `Hello from ${id}.` }],
      extensions: { request: ["enable_thinking"] },
    })
    stage.write({
      [`${stage.gongHome}/models.json`]: JSON.stringify({ providers: { [id]: { baseUrl: `${stage.server.url}/v1` } } }),
    })
    const env = { ...nowhere, DASHSCOPE_API_KEY: `sk-${id}-0123456789` }
    const run = await stage.gong(["-p", "-m", `${id}/qwen3.6-plus`, "Hi"], { env })
    assert.deepEqual([run.status, run.out], [0, `Hello from ${id}.\n`], run.err)
    const [request] = stage.server.requests
    assert.ok(request)
    assert.equal(request.headers["authorization"], `Bearer sk-${id}-0123456789`)
    assert.equal((request.body as { enable_thinking?: boolean }).enable_thinking, false)
  }
})

test("an invalid models.json is one line with its location, before any request; --bare does not read it", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "Hello." }] })
  stage.write({
    [`${stage.gongHome}/models.json`]: '{\n  "providers": {\n    "lab": { "baseurl": "http://h" }\n  }\n}',
  })
  const run = await stage.gong(["-p", "Hi"])
  assert.deepEqual(
    [run.status, run.out, run.err],
    [
      2,
      "",
      `gong: ${stage.gongHome}/models.json:3: there is no "providers.lab.baseurl" in models.json. Did you mean baseUrl?\n`,
    ],
  )
  assert.equal((await stage.gong(["-p", "--bare", "Hi"])).status, 0)
})

test("only --refresh fetches a catalogue, which then overrides the shipped one", async (t) => {
  const asked: string[] = []
  const catalogue = {
    anthropic: {
      models: {
        "claude-next-1": {
          tool_call: true,
          reasoning: true,
          modalities: { input: ["text", "image"] },
          limit: { context: 500_000, output: 50_000 },
          cost: { input: 1, output: 5, cache_read: 0.1, context_over_200k: { input: 2, output: 10 } },
        },
        "claude-tiny": { tool_call: true, limit: { context: 4096, output: 1024 }, cost: { input: 1, output: 1 } },
        "claude-mute": { tool_call: false, limit: { context: 100_000, output: 1024 } },
      },
    },
  }
  const stage = await openStage(t, {
    routes: (method, path) => {
      asked.push(`${method} ${path}`)
      return path === "/api.json" ? { status: 200, body: catalogue } : undefined
    },
  })
  const env = { ...nowhere, GONG_CATALOG_URL: `${stage.server.url}/api.json` }
  assert.match((await stage.gong(["models", "claude-next"], { env })).out, /^No model has "claude-next"/)
  assert.deepEqual(asked, [])
  const run = await stage.gong(["models", "--refresh"], { env })
  assert.deepEqual(
    [run.status, run.out],
    [0, `1 models of 1 providers, from ${env.GONG_CATALOG_URL}, are stored in ${stage.gongHome}/catalogue.\n`],
    run.err,
  )
  const found = await stage.gong(["models", "claude-next", "--json"], { env })
  const [next] = JSON.parse(found.out) as Readonly<Record<string, unknown>>[]
  assert.deepEqual(
    [next?.["contextWindow"], next?.["price"]],
    [500_000, { input: 1, output: 5, cacheRead: 0.1, tiers: [{ above: 200_000, input: 2, output: 10 }] }],
  )
  assert.match((await stage.gong(["models", "anthropic/claude-opus-5"], { env })).out, /\$5 \/ \$25 \/ \$0\.5/)
  assert.deepEqual(asked, ["GET /api.json"])
  const gone = await stage.gong(["models", "--refresh"], {
    env: { ...env, GONG_CATALOG_URL: `${stage.server.url}/v1/models` },
  })
  assert.deepEqual([gone.status, gone.out], [2, ""])
  assert.match(gone.err, /^gong: http.* is not a catalogue in the format of models\.dev; nothing was changed\.\n$/)
})
