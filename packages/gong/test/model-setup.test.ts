import { english } from "@gong/texts/translator"
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { findProvider, type LocalServer, providers } from "@gong/llm"
import { createTransport } from "@gong/llm/transport"
import { startModelServer } from "@gong/testing/model-server"
import { lineDialogs } from "../src/modes/plain/line-dialogs.ts"
import { setUpModel } from "../src/model-setup.ts"
import type { LineReader } from "../src/terminal/lines.ts"
import type { Cli } from "../src/cli.ts"

/** Answers the questions with these lines, and records all output. */
function person(
  answers: readonly string[],
  local: readonly LocalServer[] = [],
  more: Readonly<Record<string, string>> = {},
) {
  const home = mkdtempSync(join(tmpdir(), "gong-first-"))
  const shown: string[] = []
  const secrets: boolean[] = []
  const left = [...answers]
  const lines: LineReader = {
    async question(prompt, options = {}) {
      shown.push(prompt)
      secrets.push(options.secret === true)
      return left.shift() ?? null
    },
    onInterrupt: () => undefined,
    onQueued: () => undefined,
    onEscape: () => undefined,
    requeue: () => undefined,
    reopen: () => undefined,
    close: () => undefined,
  }
  const cli = {
    t: english,
    env: { GONG_HOME: home, ...more },
    userHome: home,
    cwd: home,
    err: (text: string) => shown.push(text),
  }
  const setUp = async () => {
    const transport = createTransport()
    try {
      return await setUpModel(cli as unknown as Cli, {}, lineDialogs(lines, cli as unknown as Cli), transport, local)
    } finally {
      transport.close()
    }
  }
  return { home, shown, secrets, setUp }
}

test("an endpoint is entered, stored for its origin only, and used", async () => {
  const { home, shown, secrets, setUp } = person(["9", "2", "4", "http://127.0.0.1:9/v1", "sk-secret-1", "any"])
  try {
    assert.deepEqual(await setUp(), { options: { baseUrl: "http://127.0.0.1:9/v1", model: "any" } })
    const auth = join(home, "auth.json")
    assert.deepEqual(JSON.parse(readFileSync(auth, "utf8")), {
      custom: { key: "sk-secret-1", origin: "http://127.0.0.1:9" },
    })
    assert.equal(statSync(auth).mode & 0o777, 0o600)
    const settings = JSON.parse(readFileSync(join(home, "settings.json"), "utf8"))
    assert.deepEqual(settings, { baseUrl: "http://127.0.0.1:9/v1", model: "any" })
    assert.ok(!shown.join("").includes("sk-secret-1"))
    assert.deepEqual(secrets, [false, false, false, false, true, false])
  } finally {
    rmSync(home, { recursive: true })
  }
})

test("Enter exits with status 2 and stores nothing", async () => {
  const { home, setUp } = person([""])
  assert.deepEqual(await setUp(), { exit: 2 })
  assert.throws(() => statSync(join(home, "settings.json")))
  rmSync(home, { recursive: true })
})

test("incomplete input is asked again and not stored", async () => {
  const { home, setUp } = person(["4", "no url", "4", "http://127.0.0.1:9/v1", "", "", "1", "", ""])
  assert.deepEqual(await setUp(), { exit: 2 })
  assert.throws(() => statSync(join(home, "settings.json")))
  rmSync(home, { recursive: true })
})

test("models on this machine are listed with their capabilities, and one is chosen", async () => {
  const row = findProvider("ollama")
  assert.ok(row)
  const models = [
    { name: "qwen3-coder:30b", tools: true, contextWindow: 262_144, bytes: 18_000_000_000 },
    { name: "gemma2:2b", tools: false, contextWindow: 8192, bytes: 1_600_000_000 },
  ]
  const { home, shown, setUp } = person(["3", "1"], [{ row, host: "127.0.0.1:11434", models }])
  try {
    assert.deepEqual(await setUp(), { options: { model: "ollama/qwen3-coder:30b" } })
    assert.match(shown.join(""), /3  A model on this machine      Ollama on 127\.0\.0\.1:11434 with 2 models\n/)
    assert.match(shown.join(""), /  1  ollama\/qwen3-coder:30b  tools, 256k context, 18 GB\n/)
    assert.match(shown.join(""), /  2  ollama\/gemma2:2b        no tool calls: Gong cannot work with it\n/)
  } finally {
    rmSync(home, { recursive: true })
  }
})

/** The answers of a server for keys: each request has this status. */
async function keyServer(t: TestContext, status: number): Promise<string> {
  const server = await startModelServer({ routes: () => ({ status, body: { error: { message: "no" } } }) })
  t.after(() => server.close())
  return server.url
}

test("the provider of an unknown key is chosen from a list; a key that is refused goes back to the menu", async (t) => {
  const url = await keyServer(t, 401)
  const { home, shown, secrets, setUp } = person(["1", "what-is-this-0123456789", "1", ""], [], {
    ANTHROPIC_BASE_URL: url,
  })
  t.after(() => rmSync(home, { recursive: true }))
  assert.deepEqual(await setUp(), { exit: 2 })
  const all = shown.join("")
  assert.match(all, /Whose key is it\?/)
  assert.match(all, /\n {3}1 {2}Anthropic\n/)
  assert.match(all, /\n {3}3 {2}Google Gemini \(google\)\n/)
  assert.match(all, /Anthropic refused the key \(401 no\)\. It was not stored\.\n/)
  assert.deepEqual(secrets.slice(0, 3), [false, true, false])
  assert.throws(() => statSync(join(home, "auth.json")))
  const back = person(["1", "what-is-this-0123456789", "", ""])
  t.after(() => rmSync(back.home, { recursive: true }))
  assert.deepEqual(await back.setUp(), { exit: 2 })
})

test("an empty key and an empty or wrong address go back to the menu, the latter with its fault", async (t) => {
  const { home, shown, setUp } = person(["1", " ", "4", " ", "4", "nope", "3", ""])
  t.after(() => rmSync(home, { recursive: true }))
  assert.deepEqual(await setUp(), { exit: 2 })
  const all = shown.join("")
  assert.equal(all.match(/No model yet\. Pick one:/g)?.length, 5)
  assert.doesNotMatch(all, /Whose key/)
  assert.deepEqual(all.match(/gong: .*/g), ["gong: nope is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1."])
  assert.match(
    all,
    /No model was found on 127\.0\.0\.1:11434\. Start one: ollama serve, then: ollama pull qwen3-coder\n/,
  )
})

test("an endpoint needs a model and a key that is accepted; without a key only its settings are stored", async (t) => {
  const refusing = `${await keyServer(t, 401)}/v1`
  const none = person(["4", refusing, "", " ", "4", refusing, "sk-refused-1", "m", ""])
  const plain = person(["4", " http://127.0.0.1:9/v1 ", " ", " own "])
  t.after(() => [none, plain].forEach(({ home }) => rmSync(home, { recursive: true })))
  assert.deepEqual(await none.setUp(), { exit: 2 })
  assert.match(none.shown.join(""), /refused the key \(401 no\)\. It was not stored\.\n/)
  assert.throws(() => statSync(join(none.home, "settings.json")))
  assert.deepEqual(await plain.setUp(), { options: { baseUrl: "http://127.0.0.1:9/v1", model: "own" } })
  assert.throws(() => statSync(join(plain.home, "auth.json")))
  assert.equal(plain.shown.at(-1), `Stored in ${plain.home}/settings.json.\n`)
})

test("the only model of a server is counted as one; Enter in the list goes back", async (t) => {
  const row = findProvider("ollama") ?? assert.fail()
  const models = [{ name: "m", tools: true, contextWindow: null, bytes: null }]
  const { home, shown, setUp } = person(["3", "", ""], [{ row, host: "h:1", models }])
  t.after(() => rmSync(home, { recursive: true }))
  assert.deepEqual(await setUp(), { exit: 2 })
  assert.match(shown.join(""), /Ollama on h:1 with 1 model\n/)
  assert.match(shown.join(""), /\n {2}1 {2}ollama\/m {2}tools\n/)
})

test("a key that is accepted is stored, and the provider's model is used", async (t) => {
  const url = await keyServer(t, 200)
  const key = "sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz0123456789"
  const { home, setUp } = person(["1", ` ${key} `], [], { ANTHROPIC_BASE_URL: url })
  t.after(() => rmSync(home, { recursive: true }))
  const model = `anthropic/${findProvider("anthropic")?.defaultModel}`
  assert.deepEqual(await setUp(), { options: { model } })
  assert.deepEqual(JSON.parse(readFileSync(join(home, "auth.json"), "utf8")), {
    anthropic: { key, origin: new URL(url).origin },
  })
})

test("a base URL of the environment that is none is reported with the key", async (t) => {
  const key = "sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz0123456789"
  const { home, shown, setUp } = person(["1", key, ""], [], { ANTHROPIC_BASE_URL: "nope" })
  t.after(() => rmSync(home, { recursive: true }))
  assert.deepEqual(await setUp(), { exit: 2 })
  assert.match(shown.join(""), /gong: .*nope/)
})

test("a provider without a default model is asked for one", async (t) => {
  const url = await keyServer(t, 200)
  const at = providers.filter(({ keys }) => keys.length > 0).findIndex(({ id }) => id === "azure")
  const answers = (model: string) => ["1", "what-is-this-0123456789", String(at + 1), model, ""]
  const env = { AZURE_OPENAI_BASE_URL: url }
  const named = person(answers(" own "), [], env)
  const none = person(answers(" "), [], env)
  t.after(() => [named, none].forEach(({ home }) => rmSync(home, { recursive: true })))
  assert.deepEqual(await named.setUp(), { options: { model: "azure/own" } })
  assert.match(named.shown.join(""), /Model of Azure OpenAI[^:]*: /)
  assert.deepEqual(await none.setUp(), { exit: 2 })
})
