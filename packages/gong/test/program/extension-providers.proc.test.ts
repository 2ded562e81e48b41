import assert from "node:assert/strict"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { textOf } from "@gong/spec"
import { canary, eventsOf, ofType, openStage, resultOf, type RunOptions, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

const example = readFileSync(join(import.meta.dirname, "../../../../examples/extensions/custom-provider.ts"), "utf8")

interface Asked {
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly model: string
    readonly rules: string
    readonly talk: readonly unknown[]
    readonly most: number
  }
}

/** The server's behaviour for one request; the last one repeats. */
type Turn = (reply: ServerResponse) => void

const lines =
  (...all: readonly object[]): Turn =>
  (reply) =>
    void reply.end(all.map((one) => `${JSON.stringify(one)}\n`).join(""))
const done = { done: { in: 100, out: 20 } }
const fine = lines({ say: "fine" }, done)

/** A server that speaks the protocol of the example. */
async function openHouse(t: TestContext, ...turns: readonly Turn[]) {
  const asked: Asked[] = []
  const server = process.getBuiltinModule("node:http").createServer((request, reply) => {
    let text = ""
    request.on("data", (bytes) => (text += String(bytes)))
    request.on("end", () => {
      asked.push({ headers: request.headers, body: JSON.parse(text) as Asked["body"] })
      const turn = turns[asked.length - 1] ?? turns.at(-1)
      turn?.(reply)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const models = {
  large: { contextWindow: 64_000, maxOutput: 4_000, price: { input: 1, output: 10 } },
  small: {},
}

function install(stage: Stage, url: string, settings: object = {}): void {
  stage.write({
    [`${stage.gongHome}/extensions/custom-provider.ts`]: example,
    [`${stage.gongHome}/settings.json`]: JSON.stringify({
      "retry.baseMs": 1,
      extensions: { "custom-provider": { url, models } },
      ...settings,
    }),
  })
}

/** No model of the environment, and the key of the house. */
const env = {
  GONG_BASE_URL: undefined,
  GONG_MODEL: undefined,
  GONG_API: undefined,
  GONG_API_KEY: undefined,
  HOUSE_KEY: canary,
}

async function run(stage: Stage, args: readonly string[], options: RunOptions = {}) {
  const ran = await stage.gong(["--output", "events", "--yolo", ...args], {
    ...options,
    env: { ...env, ...options.env },
  })
  const all = eventsOf(ran)
  return { ran, all, result: resultOf(ran), tools: ofType(all, "tool_execution_end").map(textOf) }
}

test("custom-provider: a model over a custom protocol reasons, calls a tool and answers, with its price", async (t) => {
  const stage = await openStage(t)
  const calls = { call: { id: "c1", name: "bash", with: { command: "echo $HOUSE_KEY." } } }
  const house = await openHouse(t, lines({ think: "Hm." }, calls, done), fine)
  install(stage, house.url)
  const { ran, result, tools } = await run(stage, ["-m", "house/large", "go"])
  assert.deepEqual(
    [result.status, result.text, result.usage.input, result.cost],
    ["done", "fine", 200, 0.0006],
    ran.err,
  )
  assert.match(tools[0] ?? "", /^\.\n/, "commands do not see its key")
  const [first, second] = house.asked
  assert.deepEqual([first?.headers["x-house-key"], first?.body.model, first?.body.most], [canary, "large", 4_000])
  assert.match(first?.body.rules ?? "", /bash/)
  const [user, assistant, tool] = (second?.body.talk ?? []) as readonly Record<string, unknown>[]
  assert.deepEqual(user, { role: "user", content: [{ type: "text", text: "go" }] })
  const [thought, block] = (assistant?.["content"] ?? []) as readonly { type: string; id: string; arguments: object }[]
  assert.deepEqual(thought, { type: "text", text: "<thinking>\nHm.\n</thinking>" })
  assert.deepEqual([block?.type, block?.arguments], ["tool_call", calls.call.with])
  assert.deepEqual([tool?.["role"], tool?.["toolCallId"]], ["tool", block?.id])
  // The next run continues it, since it was the last one here.
  const next = await run(stage, ["-c", "more"])
  assert.equal(next.result.text, "fine", next.ran.err)
})

test("custom-provider: its models are in gong models and doctor, and can be a fallback", async (t) => {
  const stage = await openStage(t)
  const house = await openHouse(t, fine)
  install(stage, house.url, { "retry.count": 0 })
  const listed = await stage.gong(["models", "house"], { env })
  assert.match(listed.out, /\* +house\/large +64k +4k +\$1 \/ \$10\n\* +house\/small +128k +16k +unknown\n/)
  assert.match((await stage.gong(["doctor"], { env })).out, /custom-provider from \S+: house\/\.\.\.\n/)
  const slip = await stage.gong(["-m", "hause/large", "go"], { env })
  assert.match(slip.err, /unknown provider "hause" in hause\/large\. Did you mean house /)

  stage.server.begin([{ fault: { kind: "status", status: 500 } }])
  const here = { GONG_BASE_URL: undefined, GONG_MODEL: undefined, GONG_API: undefined, OPENAI_API_KEY: canary }
  const both = { ...here, OPENAI_BASE_URL: stage.server.url, HOUSE_KEY: canary, GONG_API_KEY: undefined }
  const { result, ran, all } = await run(stage, ["-m", "openai/gpt-5.2:off,house/small", "go"], { env: both })
  assert.equal(result.text, "fine", ran.err)
  assert.match(JSON.stringify(ofType(all, "notice")), /going on with house\/small/)
})

test("custom-provider: errors are failures of their kind, retried or not, and reported", async (t) => {
  const stage = await openStage(t)
  const cut = lines({ say: "half" })
  const busy: Turn = (reply) => void reply.writeHead(503).end("later")
  const broken: Turn = (reply) => {
    reply.write(`${JSON.stringify({ say: "ha" })}\n`)
    setImmediate(() => reply.destroy())
  }
  const wrongKey: Turn = (reply) => void reply.writeHead(401).end("who are you?")
  const noLine: Turn = (reply) => void reply.end("{oops\n")
  for (const [turn, asks, kind, message] of [
    [busy, 2, null, ""],
    [cut, 2, null, ""],
    [broken, 2, null, ""],
    [wrongKey, 1, "auth", /^house refused the key in HOUSE_KEY \(401 who are you\?\)$/],
    [noLine, 1, "bad-reply", /^house: Expected property name.*JSON/],
  ] as const) {
    const house = await openHouse(t, turn, fine)
    install(stage, house.url)
    const { result, ran } = await run(stage, ["--no-session", "-m", "house/large", "go"])
    assert.equal(house.asked.length, asks, ran.err)
    if (kind === null) assert.equal(result.text, "fine")
    else {
      assert.equal(result.failure?.kind, kind)
      assert.match(result.failure?.message ?? "", message)
    }
  }
  install(stage, "http://127.0.0.1:1", { "retry.count": 0 })
  const { result } = await run(stage, ["--no-session", "-m", "house/large", "go"])
  assert.deepEqual([result.failure?.kind, result.failure?.retryable], ["network", true])
})

test("custom-provider: an aborted stream ends at once; one in an endless loop is ended with its extension", async (t) => {
  const stage = await openStage(t)
  const provider = (body: string) =>
    `export default (gong) => gong.provider({ name: "odd", models: { m: {} }, async *stream(request, { signal }) { ${body} } })\n`
  const odd = async (body: string) => {
    stage.write({ "odd.js": provider(body), [`${stage.gongHome}/settings.json`]: '{"retry.baseMs": 1}' })
    return run(stage, ["--no-session", "-e", "odd.js", "-m", "odd/m", "go"])
  }
  const exits = await odd('yield { type: "text", text: "a" }; await null; process.exit(1)')
  assert.deepEqual(
    [exits.result.status, exits.result.failure?.message],
    ["failed", "odd cannot be asked: the extension odd is off"],
  )
  assert.match(
    JSON.stringify(ofType(exits.all, "notice")),
    /odd\.js: it ended the thread of extensions: it called process\.exit\(\)/,
  )
  const nonsense = await odd('yield { type: "txt", text: "a" }')
  assert.equal(nonsense.result.failure?.message, 'odd gave a piece that Gong does not know: {"type":"txt","text":"a"}')
  const flood = await odd('for (;;) yield { type: "text", text: "x".repeat(10_000) }')
  assert.equal(flood.result.failure?.message, "odd gave more than 8 million characters for one reply")
  const nothing = await odd("")
  assert.deepEqual(
    [nothing.result.failure?.kind, nothing.result.failure?.message],
    ["bad-reply", "odd sent an empty reply"],
  )

  stage.write({ "odd.js": provider('yield { type: "text", text: "a" }; await new Promise(() => {})') })
  const live = stage.start(["--output", "events", "--partial", "--no-session", "-e", "odd.js", "-m", "odd/m", "go"], {
    env,
  })
  await live.event("message_update")
  live.child.kill("SIGINT")
  const ended = await live.ended
  assert.deepEqual([ended.status, resultOf(ended).status], [130, "interrupted"])
})

test("extensions of a project cannot add models; a used name and a key of another provider are refused with a line each", async (t) => {
  const stage = await openStage(t)
  const house = await openHouse(t, fine)
  const at = `{ baseUrl: "${house.url}", models: { m: {} }, async *stream() {} }`
  const brings = (more: string) => `export default (gong) => gong.provider(Object.assign(${at}, ${more}))\n`
  stage.write({
    ".gong/extensions/theirs.js": brings('{ name: "theirs" }'),
    [`${stage.gongHome}/extensions/a.js`]: brings('{ name: "anthropic" }'),
    [`${stage.gongHome}/extensions/b.js`]: brings('{ name: "b", keys: ["ANTHROPIC_API_KEY"] }'),
    [`${stage.gongHome}/extensions/c.js`]: brings('{ name: "c", models: { m: { contextWindow: "big" } } }'),
    [`${stage.gongHome}/extensions/d.js`]: brings('{ name: "d", baseUrl: undefined, keys: ["D_KEY"] }'),
    [`${stage.gongHome}/extensions/e.js`]: brings('{ name: "e", baseUrl: "http://my host/v1" }'),
  })
  stage.server.begin([{ text: "ok" }])
  const { err } = await stage.gong(["--trust", "yes", "--no-session", "go"])
  const folder = `${stage.gongHome}/extensions`
  for (const line of [
    `gong: ${stage.repo}/.gong/extensions/theirs.js: the provider "theirs" is left out: extensions of a project bring none. Put it into ~/.gong/extensions, or name it with -e.`,
    `gong: ${folder}/a.js: the provider "anthropic" is left out: there is one of this name. Rename it.`,
    `gong: ${folder}/b.js: the provider "b" is left out: ANTHROPIC_API_KEY holds the key of another provider.`,
    `gong: ${folder}/c.js: the provider "c" is left out: models/m/contextWindow must be integer.`,
    `gong: ${folder}/d.js:1: gong.provider(): "d": "keys" need a "baseUrl": a key is kept for one address.`,
    `gong: ${folder}/e.js: the provider "e" is left out: http://my host/v1 is no base URL. Write http://HOST:PORT/v1 or https://HOST/v1.`,
  ])
    assert.ok(err.includes(line), `${line}\n---\n${err}`)
})

test("[SAFE-25] a stored key is sent only to its origin", async (t) => {
  const stage = await openStage(t)
  const [house, other] = [await openHouse(t, fine), await openHouse(t, fine)]
  const noKey = { ...env, HOUSE_KEY: undefined }
  install(stage, house.url)
  const kept = await stage.gong(["login", "house"], { env: noKey, stdin: `${canary}\n` })
  assert.match(
    kept.out,
    new RegExp(`^The key for The house's own server could not be checked .* sent to ${house.url} only`),
    kept.err,
  )
  assert.equal((await run(stage, ["--no-session", "-m", "house/large", "go"], { env: noKey })).result.text, "fine")
  assert.equal(house.asked[0]?.headers["x-house-key"], canary)
  install(stage, other.url)
  const refused = await stage.gong(["--no-session", "-m", "house/large", "go"], { env: noKey })
  assert.deepEqual([refused.status, other.asked.length], [2, 0])
  assert.match(refused.err, /no key for The house's own server\. Give one: gong login house {2}or: export HOUSE_KEY=/)
})

test("gong auth, models and doctor show the key of an extension provider, without starting a remembered extension", async (t) => {
  const stage = await openStage(t)
  const begun = `${stage.root}/begun`
  const mark = `import { appendFileSync } from "node:fs"\nappendFileSync(${JSON.stringify(begun)}, "x")\n`
  const fields = 'name: "house", baseUrl: "http://127.0.0.1:9/v1", keys: ["HOUSE_KEY"], models: { m: {} }'
  stage.write({
    [`${stage.gongHome}/extensions/house.mjs`]: `${mark}export default (gong) => {
  gong.provider({ ${fields} })
  gong.hook({ onInput: () => undefined })
}\n`,
    ".gong/extensions/theirs.js": `export default (gong) => gong.provider({ ${fields.replaceAll("house", "theirs")} })\n`,
  })
  const own = { GONG_API_KEY: undefined, HOUSE_KEY: canary }
  const gong = async (...args: readonly string[]) => stage.gong(args, { env: own })
  const row = "house  HOUSE_KEY  for http://127.0.0.1:9\n"
  const status = await gong("auth", "status")
  assert.deepEqual([status.out, status.err], [row, ""])
  assert.match((await gong("doctor")).out, /^keys {7}house \(HOUSE_KEY\)$/m)
  const loads = readFileSync(begun, "utf8").length
  assert.match((await gong("models")).out, /^\* {2}house\/m /m)
  assert.equal((await gong("auth")).out, row)
  assert.match((await gong("auth", "logout", "house")).out, /HOUSE_KEY still contains one/)
  assert.equal((await stage.gong(["login", "house"], { env: own, stdin: `${canary}2\n` })).status, 0)
  assert.equal(readFileSync(begun, "utf8").length, loads)
  assert.match((await gong("auth", "--json")).out, /"provider":"house","origin":"http:\/\/127.0.0.1:9","used":false/)
  assert.match((await gong("auth", "logout", "house")).out, /was removed/)
  const trusted = await gong("auth", "--trust", "yes")
  assert.match(trusted.err, /"theirs" is left out: extensions of a project bring none/)
  assert.equal(trusted.out, row)
  assert.equal((await gong("auth", "--no-extensions")).out.includes("house"), false)
})

test("an extension provider with a built-in wire format behaves like one of models.json", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "hi" }] })
  const fields = `name: "corp", baseUrl: "${stage.server.url}", headers: { "x-team": "blue" }, models: { m: { maxOutput: 99 } }, defaultModel: "m"`
  stage.write({ [`${stage.gongHome}/extensions/corp.js`]: `export default (gong) => gong.provider({ ${fields} })\n` })
  const { result, ran } = await run(stage, ["--no-session", "go"], { env: { HOUSE_KEY: undefined } })
  assert.equal(result.text, "hi", ran.err)
  assert.equal(stage.server.requests[0]?.headers["x-team"], "blue")
})

test("the provider example of docs/extensions.md works unchanged", async (t) => {
  const stage = await openStage(t)
  const docs = readFileSync(join(import.meta.dirname, "../../../../docs/extensions.md"), "utf8")
  const [, shown = ""] = /```ts\n((?:(?!```)[^])*gong\.provider[^]*?)```/.exec(docs) ?? []
  stage.write({ "echo.ts": shown })
  const { result, ran } = await run(stage, ["--no-session", "-e", "echo.ts", "-m", "echo/loud", "Hello"])
  assert.deepEqual([result.text, result.usage.output, result.cost], ["Hello!", 3, null], ran.err)
})

test("an extension model is recorded and replayed, and rpc lists and selects it", async (t) => {
  const stage = await openStage(t)
  const calls = { call: { id: "c1", name: "bash", with: { command: "echo hi" } } }
  const house = await openHouse(t, lines(calls, done), fine)
  install(stage, house.url, { record: "on" })
  const { ran } = await run(stage, ["-m", "house/large", "go"])
  assert.equal(resultOf(ran).text, "fine", ran.err)
  const [session = ""] = stage.sessions()
  const replayed = await stage.gong(["sessions", "replay", session], { env })
  assert.deepEqual([replayed.status, house.asked.length], [0, 2], replayed.out + replayed.err)

  const client = startRpc(t, stage, ["-m", "house/small"], env)
  const { models: listed } = await client.request("get_available_models")
  const ours = listed.filter(({ model }) => model.startsWith("house/"))
  assert.deepEqual(
    ours.map(({ model, current }) => [model, current]),
    [
      ["house/large", false],
      ["house/small", true],
    ],
  )
  assert.equal((await client.request("set_model", { model: "house/large" })).contextWindow, 64_000)
  await client.request("prompt", { text: "go" })
  assert.equal((await client.event("result")).text, "fine")
  assert.equal(house.asked.at(-1)?.body.model, "large")
})
