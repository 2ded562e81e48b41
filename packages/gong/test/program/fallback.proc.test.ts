import assert from "node:assert/strict"
import { test } from "node:test"
import { eventsOf, ofType, openStage, resultOf } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

const none = { GONG_MODEL: undefined, GONG_BASE_URL: undefined, GONG_API: undefined, GONG_API_KEY: undefined }
const models = ["-m", "gone/m1,here/m2", "--set", "retry.count=0"]

/** A provider without a listener, and one that answers. */
async function stageOf(t: Parameters<typeof openStage>[0]) {
  const stage = await openStage(t, { turns: [{ text: "from the second" }] })
  const at = (baseUrl: string) => ({ api: "openai-completions", baseUrl, models: { m1: {}, m2: {} } })
  const providers = { gone: at("http://127.0.0.1:1/v1"), here: at(`${stage.server.url}/v1`) }
  stage.write({ [`${stage.gongHome}/models.json`]: JSON.stringify({ providers }) })
  return stage
}

test("-m A,B: if A is unreachable B answers, one line reports it, and every event has its model", async (t) => {
  const stage = await stageOf(t)
  const run = await stage.gong(["--output", "events", ...models, "Hi"], { env: none })
  assert.equal(run.status, 0, run.err)
  const events = eventsOf(run)
  assert.deepEqual(
    ofType(events, "model_select").map(({ model, reason }) => [model, reason]),
    [
      ["gone/m1", "user"],
      ["here/m2", "fallback"],
      ["gone/m1", "user"],
    ],
  )
  const { text, models: asked } = resultOf(run)
  assert.equal(text, "from the second")
  assert.ok(asked["here/m2"])

  const printed = await (await stageOf(t)).gong(["-p", ...models, "Hi"], { env: none })
  assert.equal(printed.out, "from the second\n")
  assert.match(printed.err, /^gong: gone\/m1 cannot be asked \(gone is not reachable .*\); going on with here\/m2$/m)
})

test("an unusable fallback is reported before the first request", async (t) => {
  const stage = await stageOf(t)
  const run = await stage.gong(["-p", "-m", "here/m2,nowhere/x", "Hi"], { env: none })
  assert.equal(run.status, 2)
  assert.match(run.err, /^gong: unknown provider "nowhere"/)
  assert.equal(stage.server.requests.length, 0)
})

test("--api-key is used for the provider of the first model only; the fallback uses its own key", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }, { text: "two" }, { text: "three" }] })
  const at = (baseUrl: string, key: string) => ({ baseUrl, keys: [key], models: { m1: {}, m2: {}, m3: {} } })
  const here = `${stage.server.url}/v1`
  const providers = { gone: at("http://127.0.0.1:1/v1", "GONE_KEY"), here: at(here, "HERE_KEY") }
  stage.write({ [`${stage.gongHome}/models.json`]: JSON.stringify({ providers }) })
  const sent = () => stage.server.requests.at(-1)?.headers["authorization"]
  const args = ["-p", "--no-session", ...models]
  const env = { ...none, HERE_KEY: "own-0123456789", MINE: "given-0123456789" }
  for (const given of [
    ["--api-key", "given-0123456789"],
    ["--api-key-env", "MINE"],
  ]) {
    const run = await stage.gong([...args, ...given, "Hi"], { env })
    assert.equal(run.status, 0, run.err)
    assert.equal(sent(), "Bearer own-0123456789")
  }
  // Another model of the provider that the key belongs to is requested with it.
  const same = ["-p", "--no-session", "-m", "here/m1,here/m2", "--api-key", "given-0123456789"]
  assert.equal((await stage.gong([...same, "Hi"], { env })).status, 0)
  assert.equal(sent(), "Bearer given-0123456789")

  const without = await stage.gong([...args, "--api-key", "given-0123456789", "Hi"], { env: none })
  const line = "gong: no key for here. Give one: gong login here  or: export HERE_KEY=...\n"
  assert.deepEqual([without.status, without.err], [2, line])
})

test("--api-key is not sent to another provider in the next session of the process", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "one" }, { text: "two" }, { text: "three" }] })
  const at = (key: string) => ({ baseUrl: `${stage.server.url}/v1`, keys: [key], models: { m: {} } })
  stage.write({
    [`${stage.gongHome}/models.json`]: JSON.stringify({ providers: { a: at("A_KEY"), b: at("B_KEY") } }),
  })
  const env = { ...none, B_KEY: "own-0123456789" }
  const first = await stage.gong(["-p", "-m", "a/m", "Hi"], { env: { ...env, A_KEY: "a-0123456789" } })
  assert.equal(first.status, 0, first.err)
  const rpc = startRpc(t, stage, ["--api-key", "given-0123456789"], env)
  await rpc.request("get_state")
  await rpc.request("set_model", { model: "b/m" })
  await rpc.request("prompt", { text: "Hi" })
  await rpc.event("result")
  await rpc.request("new_session")
  await rpc.request("prompt", { text: "Hi" })
  await rpc.event("result")
  const sent = stage.server.requests.slice(1).map(({ headers }) => headers["authorization"])
  assert.deepEqual(sent, ["Bearer own-0123456789", "Bearer own-0123456789"])
})
