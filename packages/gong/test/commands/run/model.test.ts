import assert from "node:assert/strict"
import { test } from "node:test"
import { openWithModel, type Program } from "../program.ts"
import type { RunOptions } from "../test-cli.ts"

async function printed(
  program: Program,
  args: readonly string[],
  options: RunOptions = {},
): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(args, options)
  return [status, program.plain(out), program.plain(err).replaceAll(/\d+(\.\d+)? s\b/g, "N s")]
}

test("an unusable model is a usage error with a remedy", async (t) => {
  const program = await openWithModel(t)
  const bare = { GONG_API_KEY: undefined, GONG_BASE_URL: undefined, GONG_MODEL: undefined, GONG_API: undefined }
  const models = {
    providers: Object.fromEntries(
      ["llamacpp", "lmstudio", "ollama", "vllm"].map((id) => [id, { baseUrl: "http://127.0.0.1:1/v1" }]),
    ),
  }
  program.write({ [`${program.gongHome}/models.json`]: JSON.stringify(models) })
  const p = (...args: readonly string[]) => ["-p", "x", ...args]
  assert.deepEqual(await printed(program, p(), { env: bare }), [
    2,
    "",
    'gong: no model is configured.\n  Give a key:   export ANTHROPIC_API_KEY=...   (also OPENAI_API_KEY, GEMINI_API_KEY, DEEPSEEK_API_KEY, ... see gong models --keys)\n  Or an endpoint: gong --base-url http://127.0.0.1:PORT/v1 -m MODEL "..."      Or look first: gong demo\n',
  ])
  assert.deepEqual(await printed(program, p("-m", "openai/gpt-5.1"), { env: bare }), [
    2,
    "",
    "gong: no key for OpenAI. Give one: gong login openai  or: export OPENAI_API_KEY=...\n",
  ])
  assert.deepEqual(await printed(program, p("--base-url", "http://127.0.0.1:1/v1"), { env: bare }), [
    2,
    "",
    "gong: --base-url needs a model: gong --base-url URL -m MODEL ...\n",
  ])
  assert.deepEqual(await printed(program, p("-m", "nope/x"), { env: bare }), [
    2,
    "",
    'gong: unknown provider "nope" in nope/x. For another endpoint: --base-url URL\n',
  ])
  assert.deepEqual(await printed(program, p("-m", "openai/"), { env: bare }), [
    2,
    "",
    'gong: "openai/" is not a model. Write PROVIDER/ID, for example anthropic/claude-sonnet-4-5.\n',
  ])
  assert.deepEqual(await printed(program, p("--base-url", "ftp://x", "-m", "y"), { env: bare }), [
    2,
    "",
    "gong: ftp://x is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.\n",
  ])
  assert.deepEqual(
    await printed(program, p("-m", "openai/gpt-5.1,anthropic/claude-sonnet-4-5"), {
      env: { ...bare, OPENAI_API_KEY: "x" },
    }),
    [2, "", "gong: no key for Anthropic. Give one: gong login anthropic  or: export ANTHROPIC_API_KEY=...\n"],
  )
  assert.deepEqual(await printed(program, p("--tools", "hammer")), [
    2,
    "",
    'gong: there is no tool "hammer". Available: read, write, edit, bash, grep, find, ls, fetch, todo, ask, task, default, minimal or readonly.\n',
  ])
  assert.deepEqual(await printed(program, p("--cwd", "nowhere")), [2, "", "gong: --cwd nowhere: no such folder.\n"])
  assert.deepEqual(await printed(program, p("--add-dir", "nowhere")), [
    2,
    "",
    "gong: --add-dir nowhere: no such folder.\n",
  ])
})

test("the first provider with a key is used, and the summary line counts the others", async (t) => {
  const program = await openWithModel(t, { otherwise: { text: "Fine." } })
  const bare = { GONG_API_KEY: undefined, GONG_BASE_URL: undefined, GONG_MODEL: undefined, GONG_API: undefined }
  const facts = { contextWindow: 64_000, maxOutput: 4000 }
  const lab = (name: string) => ({
    baseUrl: `${program.server.url}/v1`,
    keys: [`${name}_KEY`],
    models: { one: facts, two: facts },
    defaultModel: "one",
  })
  program.write({
    [`${program.gongHome}/models.json`]: JSON.stringify({
      providers: { a: lab("A"), b: lab("B"), c: { ...lab("C"), keys: [] } },
    }),
  })
  const key = program.env["GONG_API_KEY"]
  assert.deepEqual(await printed(program, ["-p", "x"], { env: { ...bare, B_KEY: key } }), [
    0,
    "Fine.\n",
    "b/one from B_KEY · auto · sandbox: off\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "x"], { env: { ...bare, A_KEY: key, B_KEY: key } }), [
    0,
    "Fine.\n",
    "b/one from B_KEY · auto · sandbox: off\n",
  ])
  assert.deepEqual(
    await printed(program, ["-p", "x", "-m", "a/two:high"], { env: { ...bare, A_KEY: key, B_KEY: key } }),
    [0, "Fine.\n", "a/two from A_KEY · auto · sandbox: off\n"],
  )
  assert.deepEqual(await printed(program, ["-c", "-p", "x"], { env: { ...bare, A_KEY: key, B_KEY: key } }), [
    0,
    "Fine.\n",
    "a/two from A_KEY · auto · sandbox: off · session s3\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "x"], { env: { ...bare, A_KEY: key, B_KEY: key } }), [
    0,
    "Fine.\n",
    "a/two from A_KEY · auto · sandbox: off\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "x", "-m", "c/one"], { env: bare }), [
    0,
    "Fine.\n",
    "c/one · auto · sandbox: off\n",
  ])
  assert.deepEqual(await printed(program, ["-p", "x"], { env: bare, cwd: `${program.home}` }), [
    0,
    "Fine.\n",
    "c/one · auto · sandbox: off\n",
  ])
})
