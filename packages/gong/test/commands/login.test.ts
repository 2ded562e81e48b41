import assert from "node:assert/strict"
import { test } from "node:test"
import { openProgram, type Program } from "./program.ts"

async function printed(program: Program, args: readonly string[], options = {}): Promise<readonly unknown[]> {
  const { status, out, err } = await program.gong(args, options)
  return [status, program.plain(out), program.plain(err)]
}

test("gong login stores a key from stdin, gong auth lists the sources of keys, gong auth logout removes them", async (t) => {
  const program = openProgram(t, { ANTHROPIC_BASE_URL: "http://127.0.0.1:1", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })
  const anthropic = "sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz0123456789"
  assert.deepEqual(await printed(program, ["login"], { stdin: "" }), [
    2,
    "",
    'gong: stdin has no key. Pipe one: printf %s "$KEY" | gong login\n',
  ])
  assert.deepEqual(await printed(program, ["login"], { stdin: `${anthropic}\n` }), [
    0,
    "The key for Anthropic could not be checked (ECONNREFUSED 127.0.0.1:PORT). It is stored in $GONG/auth.json and sent to http://127.0.0.1:PORT only.\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["login", "openai"], { stdin: "sk-proj-0123456789abcdefghijklmnop" }), [
    0,
    "The key for OpenAI could not be checked (ECONNREFUSED 127.0.0.1:PORT). It is stored in $GONG/auth.json and sent to http://127.0.0.1:PORT only.\n",
    "",
  ])
  const unknown = await program.gong(["login", "antropic"], { stdin: "sk-0123456789abcdefghijklmnop" })
  assert.deepEqual(
    [unknown.status, unknown.err.slice(0, 60)],
    [2, 'gong: no provider "antropic". Did you mean anthropic? There '],
  )
  assert.doesNotMatch(unknown.err, / ollama,/, "it needs no key")
  assert.deepEqual(await printed(program, ["login"], { stdin: "what-is-this-0123456789" }), [
    2,
    "",
    "gong: the provider of this key is not recognized. Name it: gong login PROVIDER\n",
  ])
  assert.deepEqual(await printed(program, ["login", "openai"], { stdin: "a b" }), [
    2,
    "",
    "gong: the key from stdin contains blanks or other invalid characters.\n",
  ])
  assert.deepEqual(
    await printed(program, ["login", "--base-url", "http://127.0.0.1:2/v1"], {
      stdin: "sk-0123456789abcdefghijklmnop",
    }),
    [
      0,
      "The key for 127.0.0.1:PORT could not be checked (ECONNREFUSED 127.0.0.1:PORT). It is stored in $GONG/auth.json and sent to http://127.0.0.1:PORT only.\n",
      "",
    ],
  )
  assert.deepEqual(await printed(program, ["auth"]), [
    0,
    "anthropic  auth.json  for http://127.0.0.1:PORT\nopenai     auth.json  for http://127.0.0.1:PORT\ncustom     auth.json  for http://127.0.0.1:PORT\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["auth", "--json"]), [
    0,
    '{"keys":[{"provider":"anthropic","origin":"http://127.0.0.1:PORT","used":true,"from":"auth.json","kind":"stored"},{"provider":"openai","origin":"http://127.0.0.1:PORT","used":true,"from":"auth.json","kind":"stored"},{"provider":"custom","origin":"http://127.0.0.1:PORT","used":true,"from":"auth.json","kind":"stored"}]}\n',
    "",
  ])
  assert.deepEqual(
    await printed(program, ["auth"], { env: { ANTHROPIC_API_KEY: "sk-ant-x", GROQ_API_KEY: "gsk_x" } }),
    [
      0,
      "anthropic  ANTHROPIC_API_KEY  for http://127.0.0.1:PORT\nanthropic  auth.json          not used: another key has precedence\nopenai     auth.json          for http://127.0.0.1:PORT\ngroq       GROQ_API_KEY       for https://api.groq.com\ncustom     auth.json          for http://127.0.0.1:PORT\n",
      "",
    ],
  )
  assert.deepEqual(await printed(program, ["auth"], { env: { GONG_API_KEY: "x" } }), [
    0,
    "any        GONG_API_KEY  for every provider\nanthropic  auth.json     not used: another key has precedence\nopenai     auth.json     not used: another key has precedence\ncustom     auth.json     not used: another key has precedence\n",
    "",
  ])
  const keys = (await program.gong(["models", "--keys"], { env: { GROQ_API_KEY: "gsk_x" } })).out.split("\n")
  assert.deepEqual(
    keys.filter((line) => /key from|has a key|  vllm/.test(line)).map((line) => line.replaceAll(/ +/g, " ")),
    [
      "* anthropic ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN Anthropic https://api.anthropic.com (key from auth.json)",
      "* openai OPENAI_API_KEY OpenAI https://api.openai.com/v1 (key from auth.json)",
      "* groq GROQ_API_KEY Groq https://api.groq.com/openai/v1 (key from GROQ_API_KEY)",
      " vllm no key needed vLLM on this machine http://127.0.0.1:8000/v1",
      "* has a key",
    ],
  )
  assert.deepEqual(await printed(program, ["auth", "logout"]), [
    2,
    "",
    "gong: which one? gong auth logout anthropic|openai|custom\n",
  ])
  assert.deepEqual(await printed(program, ["auth", "logout", "groq"]), [
    0,
    "No key of groq is stored in $GONG/auth.json.\n",
    "",
  ])
  assert.deepEqual(
    await printed(program, ["auth", "logout", "openai"], {
      env: { OPENAI_API_KEY: "x", GONG_API_KEY: "y", GROQ_API_KEY: "z" },
    }),
    [
      0,
      "The key of openai was removed; it stays valid until it is revoked.\nGONG_API_KEY still contains one.\nOPENAI_API_KEY still contains one.\n",
      "",
    ],
  )
  assert.deepEqual(await printed(program, ["auth", "logout", "custom", "--base-url", "http://127.0.0.1:3/v1"]), [
    0,
    "No key of custom for http://127.0.0.1:PORT is stored in $GONG/auth.json.\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["auth", "logout", "custom", "--base-url", "http://127.0.0.1:2/v1"]), [
    0,
    "The key of custom for http://127.0.0.1:PORT was removed; it stays valid until it is revoked.\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["auth", "logout"]), [
    0,
    "The key of anthropic was removed; it stays valid until it is revoked.\n",
    "",
  ])
  assert.deepEqual(await printed(program, ["auth", "logout"]), [2, "", "gong: auth.json contains no key.\n"])
  assert.deepEqual(await printed(program, ["auth"]), [
    0,
    "No key. Give one: gong login, or export ANTHROPIC_API_KEY=...\n",
    "",
  ])
})
