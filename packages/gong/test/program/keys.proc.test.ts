import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { startHttpProxy } from "@gong/testing/proxies"
import { canary, eventsOf, ofType, openStage, type Run, type Stage } from "./harness.ts"
import { openTerminal, skip } from "./terminal.ts"

const good = "sk-ant-good-0123456789abcdef"
const unset = { GONG_API_KEY: undefined, GONG_BASE_URL: undefined, GONG_API: undefined, GONG_MODEL: undefined }

/** Lists models to the good key, refuses every other. */
async function keyServer(t: TestContext) {
  const asked: string[] = []
  const server = process.getBuiltinModule("node:http").createServer((request, response) => {
    const key = request.headers["x-api-key"] ?? request.headers.authorization?.replace("Bearer ", "")
    asked.push(`${request.method} ${request.url} ${String(key)}`)
    request.resume()
    const fine = key === good
    response.writeHead(fine ? 200 : 401, { "content-type": "application/json" })
    response.end(
      fine ? '{"data":[]}' : '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function authFile(stage: Stage): unknown {
  return JSON.parse(readFileSync(join(stage.gongHome, "auth.json"), "utf8"))
}

function shown(run: Run): string {
  assert.ok(!`${run.out}${run.err}`.includes("0123456789"), "no key on the screen")
  return run.err
}

test("an invalid key is reported with its source, before a request or a write: exit 2", async (t) => {
  const stage = await openStage(t)
  const quoted = "\u201csk-abc\u201d"
  const stored = JSON.stringify({ custom: { key: quoted, origin: stage.server.url } })
  const ask = ["-m", "openai/gpt-5", "-p", "hi"]
  const notified = (run: Run, from: string) => {
    assert.deepEqual([run.status, run.out], [2, ""], run.err)
    assert.equal(run.err, `gong: the key from ${from} contains blanks or other invalid characters.\n`)
    assert.deepEqual([stage.sessions(), stage.server.requests.length], [[], 0])
  }
  notified(await stage.gong(ask, { env: { ...unset, OPENAI_API_KEY: quoted } }), "OPENAI_API_KEY")
  notified(await stage.gong([...ask, "--api-key", quoted], { env: unset }), "--api-key")
  notified(await stage.gong(["-p", "hi"], { env: { GONG_API_KEY: quoted } }), "GONG_API_KEY")
  mkdirSync(stage.gongHome)
  writeFileSync(join(stage.gongHome, "auth.json"), stored, { mode: 0o600 })
  notified(await stage.gong(["-p", "hi"], { env: { GONG_API_KEY: undefined } }), "auth.json")
})

test("gong login from a pipe: the key is recognised, checked with one request, stored for its origin with mode 0600; auth lists and removes it", async (t) => {
  const stage = await openStage(t)
  const { url, asked } = await keyServer(t)
  const env = { ...unset, ANTHROPIC_BASE_URL: url }
  const run = await stage.gong(["login"], { env, stdin: `${good}\nmore\n` })
  assert.deepEqual([run.status, shown(run)], [0, ""])
  const path = join(stage.gongHome, "auth.json")
  assert.equal(run.out, `The key for Anthropic works. It is stored in ${path} and sent to ${url} only.\n`)
  assert.deepEqual(asked, [`GET /v1/models ${good}`])
  assert.deepEqual(authFile(stage), { anthropic: { key: good, origin: url } })
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(stage.gongHome), ["auth.json"])

  const status = await stage.gong(["auth", "status"], { env: { ...env, OPENAI_API_KEY: canary } })
  assert.equal(shown(status), "")
  assert.equal(
    status.out,
    `anthropic  auth.json       for ${url}\nopenai     OPENAI_API_KEY  for https://api.openai.com\n`,
  )
  const both = await stage.gong(["auth", "--json"], { env: { ...env, ANTHROPIC_API_KEY: canary } })
  assert.deepEqual(JSON.parse(both.out), {
    keys: [
      { provider: "anthropic", origin: url, used: true, from: "ANTHROPIC_API_KEY", kind: "environment" },
      { provider: "anthropic", origin: url, used: false, from: "auth.json", kind: "stored" },
    ],
  })

  const again = await stage.gong(["login", "anthropic"], { env: { ...env, ANTHROPIC_API_KEY: canary }, stdin: good })
  assert.equal(shown(again), "gong: ANTHROPIC_API_KEY has precedence; unset it to use this key.\n")
  const out = await stage.gong(["auth", "logout"], { env })
  assert.equal(out.out, "The key of anthropic was removed; it stays valid until it is revoked.\n")
  assert.deepEqual(authFile(stage), {})
  const none = await stage.gong(["auth", "logout", "anthropic"], { env: { ...env, ANTHROPIC_API_KEY: canary } })
  assert.deepEqual(
    [none.status, none.out],
    [0, `No key of anthropic is stored in ${path}.\nANTHROPIC_API_KEY still contains one.\n`],
  )
  assert.match((await stage.gong(["auth"], { env })).out, /^No key\. Give one: gong login/)
})

test("a key of a provider with an invalid URL is reported and not sent", async (t) => {
  const stage = await openStage(t)
  const fault = "OPENAI_BASE_URL: garbage is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1."
  const env = { ...unset, OPENAI_API_KEY: canary, OPENAI_BASE_URL: "garbage" }
  const status = await stage.gong(["auth"], { env })
  assert.deepEqual([status.status, status.out, shown(status)], [0, `openai  OPENAI_API_KEY  not used: ${fault}\n`, ""])
  assert.deepEqual(JSON.parse((await stage.gong(["auth", "--json"], { env })).out), {
    keys: [
      { provider: "openai", origin: null, used: false, from: "OPENAI_API_KEY", kind: "environment", problem: fault },
    ],
  })
  const doctor = await stage.gong(["doctor"], { env })
  assert.ok(doctor.out.includes(`openai (OPENAI_API_KEY, not used: ${fault})`), doctor.out)
  assert.ok(!doctor.out.includes("none. Give one"), doctor.out)
  const login = await stage.gong(["login", "openai"], { env, stdin: canary })
  assert.deepEqual([login.status, login.out, shown(login)], [2, "", `gong: ${fault}\n`])
  const run = await stage.gong(["-p", "-m", "openai/gpt-5.1", "hi"], { env })
  assert.deepEqual([run.status, run.out, shown(run)], [2, "", `gong: ${fault}\n`])
})

test("gong login does not store a rejected key, and does not send a key of another provider", async (t) => {
  const stage = await openStage(t)
  const { url, asked } = await keyServer(t)
  const env = { ...unset, ANTHROPIC_BASE_URL: url }
  const login = async (args: readonly string[], stdin?: string) => {
    const run = await stage.gong(["login", ...args], { env, ...(stdin === undefined ? {} : { stdin }) })
    assert.equal(run.out, "")
    return [run.status, shown(run)]
  }
  const refused = "gong: Anthropic refused the key (401 invalid x-api-key). It was not stored.\n"
  assert.deepEqual(await login(["anthropic"], "sk-ant-bad-0123456789"), [1, refused])
  const before = asked.length
  assert.deepEqual(await login(["openai"], good), [
    2,
    "gong: this looks like a key of Anthropic, not of OpenAI; it was not sent. Use gong login anthropic.\n",
  ])
  assert.deepEqual(await login([], "who-knows-0123456789"), [
    2,
    "gong: the provider of this key is not recognized. Name it: gong login PROVIDER\n",
  ])
  assert.deepEqual(await login(["anthropic"], "two words"), [
    2,
    "gong: the key from stdin contains blanks or other invalid characters.\n",
  ])
  assert.deepEqual(await login(["anthropic"], ""), [
    2,
    'gong: stdin has no key. Pipe one: printf %s "$KEY" | gong login\n',
  ])
  assert.match(String((await login(["antropic"], good))[1]), /^gong: no provider "antropic"\. Did you mean anthropic\?/)
  assert.match(String((await login(["ollama"], good))[1]), /needs no key/)
  assert.match(String((await login(["--base-url", "nonsense"], good))[1]), /^gong: nonsense is no base URL/)
  assert.match(String((await login(["please", "let", "me", "in"]))[1]), /gong -- login please let me in\n$/)
  assert.equal(asked.length, before)
  assert.ok(!readdirSync(stage.root).includes("gong"), "nothing was made")
})

test("a key for a custom endpoint is sent only there; one that cannot be checked is stored with a notice", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Hello." } })
  const url = `${stage.server.url}/v1`
  const env = { ...unset, GONG_MODEL: "mock" }
  assert.equal((await stage.gong(["login", "--base-url", url], { env, stdin: good })).status, 0)
  const run = await stage.gong(["-p", "hi", "--base-url", url], { env })
  assert.deepEqual([run.status, run.out], [0, "Hello.\n"])
  assert.match(run.err, /custom\/mock from auth\.json/)
  assert.equal(stage.server.requests[0]?.headers["authorization"], `Bearer ${good}`)

  const other = await keyServer(t)
  const away = await stage.gong(["-p", "hi", "--base-url", `${other.url}/v1`], { env })
  assert.equal(away.status, 1)
  assert.deepEqual(other.asked, ["POST /v1/chat/completions undefined"])
  assert.equal(
    shown(away).split("\n").at(-2),
    `gong: custom wants a key and none was given (401 invalid x-api-key). gong login --base-url ${other.url}/v1 takes one.`,
  )

  const gone = await stage.gong(["login", "--base-url", "http://127.0.0.1:1/v1"], { env, stdin: `${good}x` })
  assert.match(
    gone.out,
    /^The key for 127\.0\.0\.1:1 could not be checked \(ECONNREFUSED 127\.0\.0\.1:1\)\. It is stored/,
  )
  assert.deepEqual(authFile(stage), {
    custom: [
      { key: good, origin: stage.server.url },
      { key: `${good}x`, origin: "http://127.0.0.1:1" },
    ],
  })
  await stage.gong(["auth", "logout", "custom", "--base-url", "http://127.0.0.1:1/v1"], { env })
  assert.deepEqual(authFile(stage), { custom: { key: good, origin: stage.server.url } })
})

test("[AGENT-5.6] a rejected key is reported with its variable and a remedy", async (t) => {
  const stage = await openStage(t)
  const { url, asked } = await keyServer(t)
  const env = { ...unset, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-bad-0123456789" }
  const run = await stage.gong(["-p", "hi"], { env })
  assert.equal(run.status, 1)
  assert.equal(
    shown(run).split("\n").at(-2),
    "gong: anthropic refused the key in ANTHROPIC_API_KEY (401 invalid x-api-key). gong login anthropic replaces it.",
  )
  assert.equal(asked.length, 1, "no retry")
})

test("concurrent processes store keys without losing any", async (t) => {
  const stage = await openStage(t)
  const ports = [1, 2, 3, 4, 5, 6]
  const runs = ports.map((port) =>
    stage.gong(["login", "--base-url", `http://127.0.0.1:${port}/v1`], { env: unset, stdin: `${good}${port}` }),
  )
  assert.deepEqual(
    (await Promise.all(runs)).map(({ status }) => status),
    ports.map(() => 0),
  )
  const { custom } = authFile(stage) as { custom: readonly { key: string }[] }
  assert.deepEqual(
    custom.map(({ key }) => key).toSorted(),
    ports.map((port) => `${good}${port}`),
  )
  assert.deepEqual(readdirSync(stage.gongHome), ["auth.json"], "neither lock nor half a file is left")
})

test("apiKeyCommand: its key reaches the provider, but no command, session or event; its errors are one line", async (t) => {
  const texts = "said-canary-0123456789"
  const stage = await openStage(t, {
    turns: [{ calls: [{ name: "bash", args: { command: "cat $HOME/said; echo; env" } }] }, { text: "Done." }],
  })
  stage.write({ [join(stage.home, "said")]: texts })
  const env = { ...unset, GONG_MODEL: "mock", GONG_BASE_URL: `${stage.server.url}/v1`, INHERITED: texts }
  const withCommand = (apiKeyCommand: readonly string[]) =>
    stage.write({
      [join(stage.gongHome, "auth.json")]: JSON.stringify({ custom: { apiKeyCommand, origin: stage.server.url } }),
    })
  // It runs in the home, not in the repository, and once, though two models want it.
  withCommand(["sh", "-c", "echo ran >> ran; cat said"])
  const run = await stage.gong(["--output", "events", "--yolo", "--set", "compaction.model=other", "go"], { env })
  assert.equal(run.status, 0, run.err)
  assert.equal(readFileSync(join(stage.home, "ran"), "utf8"), "ran\n")
  assert.equal(stage.server.requests[0]?.headers["authorization"], `Bearer ${texts}`)
  const [result] = ofType(eventsOf(run), "tool_execution_end")
  assert.match(JSON.stringify(result), /\[redacted\]/)
  assert.doesNotMatch(JSON.stringify(result), /INHERITED/)
  shown(run)
  assert.ok(!JSON.stringify(stage.entries()).includes(texts))

  const failing = async (...command: readonly string[]) => {
    withCommand(command)
    const { status, err } = await stage.gong(["-p", "hi"], { env })
    return [status, err]
  }
  const at = "gong: apiKeyCommand in auth.json:"
  assert.deepEqual(await failing("no-such-program"), [2, `${at} no-such-program cannot be run (ENOENT).\n`])
  assert.deepEqual(await failing("sh", "-c", "echo locked >&2; exit 3"), [2, `${at} sh failed (exit 3): locked\n`])
  assert.deepEqual(await failing("true"), [2, `${at} true printed no key.\n`])
  assert.match(String((await failing("echo", "a b"))[1]), /the key from the command echo contains blanks/)
  assert.equal(stage.server.requests.length, 2)
})

test("a repository cannot set a key or a key command", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Hello." } })
  stage.write({
    ".gong/settings.json":
      '{"apiKeyCommand": ["touch", "ran"], "proxy": {"loopback": true}, "tls": {"systemCa": true}}',
    ".gong/auth.json": `{"custom": {"apiKeyCommand": ["touch", "ran"], "origin": "${stage.server.url}"}}`,
  })
  const run = await stage.gong(["-p", "hi", "--trust", "yes"], { env: { GONG_API_KEY: undefined } })
  assert.equal(run.status, 0, run.err)
  assert.match(run.err, /"apiKeyCommand" is ignored: keys belong in the environment or in auth\.json/)
  assert.match(run.err, /"proxy\.loopback" is ignored: a project cannot set it/)
  assert.match(run.err, /"tls\.systemCa" is ignored: a project cannot set it/)
  assert.equal(stage.server.requests[0]?.headers["authorization"], undefined)
  assert.ok(!readdirSync(stage.repo).includes("ran"))
})

test("gong doctor shows sources of keys and the proxy, without key and password; a run uses the proxy", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Hello." } })
  const proxy = await startHttpProxy({ user: "me", password: "pass0123456789" })
  t.after(() => proxy.close())
  const url = new URL(stage.server.url)
  const env = { ...unset, ANTHROPIC_API_KEY: good, ALL_PROXY: proxy.url, NO_PROXY: ".cn" }
  const doctor = await stage.gong(["doctor"], { env })
  shown({ ...doctor, err: doctor.out })
  assert.match(doctor.out, /^keys +anthropic \(ANTHROPIC_API_KEY\)$/m)
  assert.ok(
    doctor.out.includes(`http://${proxy.host} (ALL_PROXY), except for .cn (NO_PROXY) and this machine`),
    doctor.out,
  )
  const away = { ...env, GONG_API_KEY: canary, GONG_MODEL: "mock", GONG_BASE_URL: `http://model.test:${url.port}/v1` }
  const run = await stage.gong(["-p", "hi"], { env: away })
  assert.deepEqual([run.status, run.out], [0, "Hello.\n"])
  assert.deepEqual(proxy.asked, [`model.test:${url.port}`])
  const wrong = await stage.gong(["doctor"], { env: { ...unset, HTTPS_PROXY: "ftp://a:0123456789@b" } })
  shown({ ...wrong, err: wrong.out })
  assert.match(wrong.out, /^proxy +HTTPS_PROXY names no proxy; write http/m)
})

test("gong login at a terminal does not echo the key", { skip }, async (t) => {
  const stage = await openStage(t)
  const { url } = await keyServer(t)
  const terminal = openTerminal(t, { ...stage, env: { ...stage.env, ANTHROPIC_BASE_URL: url } }, ["login", "anthropic"])
  await terminal.until("Key for Anthropic (not shown): ")
  terminal.type(`${good}\r`)
  await terminal.until("works. It is stored in")
  assert.equal(await terminal.ended, 0)
  assert.ok(!terminal.text.includes("0123456789"), terminal.text)
})

test(
  "model setup: a pasted key is recognised, checked and stored, and the conversation starts",
  { skip },
  async (t) => {
    const stage = await openStage(t, { api: "anthropic-messages", otherwise: { text: "Hello." } })
    const { GONG_API_KEY: _1, GONG_BASE_URL: _2, GONG_MODEL: _3, GONG_API: _4, ...plain } = stage.env
    const env = { ...plain, ANTHROPIC_BASE_URL: stage.server.url }
    const terminal = openTerminal(t, { ...stage, env }, ["--thinking", "low"])
    await terminal.until("1-5, Enter exits > ")
    terminal.type("1\r")
    await terminal.until("Key (not shown): ")
    terminal.type(`${good}\r`)
    await terminal.until("The key for Anthropic works.")
    await terminal.until("from auth.json")
    await terminal.until("> ")
    terminal.type("hi\r")
    await terminal.until("Hello.")
    terminal.type("\u0004")
    assert.equal(await terminal.ended, 0)
    assert.equal(stage.server.requests[0]?.headers["x-api-key"], good)
    assert.ok(!terminal.text.includes("0123456789"), terminal.text)
  },
)
