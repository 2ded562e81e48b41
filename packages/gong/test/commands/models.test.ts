import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram, type Program } from "./program.ts"

async function printed(program: Program, args: readonly string[], options = {}): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(args, options)
  return [status, program.plain(out), program.plain(err)]
}

test("gong models lists models and providers with keys, or those that match a search", async (t) => {
  const program = openProgram(t)
  const facts = { contextWindow: 64_000, maxOutput: 4_000 }
  program.write({
    [`${program.gongHome}/models.json`]: JSON.stringify({
      providers: {
        lab: {
          baseUrl: "http://10.0.0.2/v1",
          keys: ["LAB_KEY"],
          models: {
            small: facts,
            large: {
              contextWindow: 1_000_000,
              maxOutput: 64_000,
              reasoning: true,
              images: true,
              price: { input: 1, output: 2.5, cacheRead: 0.1, cacheWrite: 1.25 },
            },
            yuan: { ...facts, price: { input: 1, output: 2 } },
            free: { ...facts, price: { input: 0, output: 0 } },
          },
        },
        open: { baseUrl: "http://10.0.0.3/v1", models: { one: facts } },
      },
    }),
  })
  const env = { LAB_KEY: "x" }
  assert.deepEqual(await printed(program, ["models", "lab/"], { env }), [
    0,
    "   model      context  reply  thinking  images  per million tokens: input / output / cached\n*  lab/small      64k     4k                    unknown\n*  lab/large       1M    64k  yes       yes     $1 / $2.5 / $0.1\n*  lab/yuan       64k     4k                    $1 / $2\n*  lab/free       64k     4k                    $0 / $0\n\n* has a key\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["models", "LAB/large", "--json"], { env }), [
    0,
    '[{"provider":"lab","id":"large","contextWindow":1000000,"maxOutput":64000,"reasoning":true,"images":true,"price":{"input":1,"output":2.5,"cacheRead":0.1,"cacheWrite":1.25},"key":"LAB_KEY","default":false}]\n',
    "",
  ])
  assert.deepEqual(await printed(program, ["models", "lab/small"]), [
    0,
    "  model      context  reply  thinking  images  per million tokens: input / output / cached\n  lab/small      64k     4k                    unknown\n\n* has a key\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["models", "open/one"]), [
    0,
    "  model     context  reply  thinking  images  per million tokens: input / output / cached\n  open/one      64k     4k                    unknown\n\n* has a key\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["models", "zzz"], { env }), [
    0,
    'No model has "zzz" in its name. gong models lists them; --base-url URL uses any other endpoint.\n',
    "",
  ])
  const keys = (await program.gong(["models", "--keys"], { env })).out.split("\n")
  assert.deepEqual(
    keys.filter((line) => /lab |open |vllm/.test(line)).map((line) => line.replaceAll(/ +/g, " ")),
    [
      " vllm no key needed vLLM on this machine http://127.0.0.1:8000/v1",
      "* lab LAB_KEY lab http://10.0.0.2/v1 (key from LAB_KEY)",
      " open no key needed open http://10.0.0.3/v1",
    ],
  )
  const json = (await program.gong(["models", "--keys", "--json"], { env })).out
  assert.equal(json.slice(0, 30), '[{"id":"anthropic","name":"Ant')
  assert.equal(
    /\{[^{}]*"lab"[^{}]*\}/.exec(json)?.[0],
    '{"id":"lab","name":"lab","api":"openai-completions","baseUrl":"http://10.0.0.2/v1","keys":["LAB_KEY"],"key":"LAB_KEY","defaultModel":null,"currency":"USD"}',
  )
  const all = (await program.gong(["models"], { env })).out.split("\n")
  assert.deepEqual(
    all.filter((line) => / (lab|open)\//.test(line)),
    [
      "*  lab/small      64k     4k                    unknown",
      "*  lab/large       1M    64k  yes       yes     $1 / $2.5 / $0.1",
      "*  lab/yuan       64k     4k                    $1 / $2",
      "*  lab/free       64k     4k                    $0 / $0",
    ],
  )
  assert.deepEqual(
    all.slice(-4).map((line) => line.replaceAll(/\d+/g, "N")),
    [
      "*  lab/free       Nk     Nk                    $N / $N",
      "",
      "* has a key. gong models SEARCH searches all of them; gong models --keys lists the key variables.",
      "",
    ],
  )
})
