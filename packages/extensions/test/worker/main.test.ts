import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { Worker } from "node:worker_threads"
import { englishOf } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import type { CallTarget, FromWorker, ToWorker, WorkerBegin } from "../../src/protocol.ts"

/** Coverage of a thread is written if its own environment says so, and it ends by itself. */
const { NODE_V8_COVERAGE: reports } = process.env
const coverage = reports === undefined ? {} : { NODE_V8_COVERAGE: reports }

/** The last extension of each thread ends it on request. */
const ender = `export default (gong) => gong.command({ name: "end", about: "e", run: () => process.exit(0) })`

interface Options {
  readonly memory?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The thread with these extensions; each is a file, in a folder of its own. */
function opened(t: TestContext, files: Readonly<Record<string, string>>, { memory, env = {} }: Options = {}) {
  const named = { ...files, "end.js": ender }
  const root = folder(t, Object.fromEntries(Object.entries(named).map(([name, text]) => [`${name}/${name}`, text])))
  const extensions = Object.keys(named).map((name, id) => ({
    id,
    name: name.split(".", 1)[0] ?? "",
    path: join(root, name, name),
    folder: join(root, name),
    boundary: null,
    settings: { of: name },
  }))
  const begin: WorkerBegin = {
    gong: "1.2",
    cwd: "/cwd",
    workspace: "/workspace",
    cache: null,
    memory: memory === undefined ? null : join(root, memory),
    extensions,
  }
  const worker = new Worker(new URL("../../src/worker/main.ts", import.meta.url), {
    env: coverage,
    stdout: true,
    stderr: true,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  })
  const got: FromWorker[] = []
  let wake = (): void => undefined
  worker.on("message", (message: FromWorker) => {
    got.push(message)
    wake()
  })
  const exited = new Promise<void>((resolve) => worker.on("exit", () => resolve()))
  const post = (message: ToWorker): void => worker.postMessage(message)
  /** The first message that fits. */
  const until = async (fits: (message: FromWorker) => boolean): Promise<FromWorker> => {
    for (;;) {
      const found = got.find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  let ids = 0
  const call = async (extension: number, target: CallTarget, args: readonly unknown[] = [], session?: number) => {
    const id = (ids += 1)
    post({ kind: "call", id, extension, target, args, ...(session !== undefined && { session }) })
    return until((one) => (one.kind === "answer" || one.kind === "threw") && one.id === id)
  }
  const end = async (): Promise<void> => {
    post({ kind: "call", id: 0, extension: extensions.length - 1, target: { kind: "command", key: "end" }, args: [""] })
    await exited
  }
  t.after(async () => worker.terminate())
  return { root, got, post, until, call, end, start: () => post({ kind: "begin", begin, env }) }
}

const tool = (key: string): CallTarget => ({ kind: "tool", key })
const withTool = (body: string, top = "") =>
  `${top}\nexport default (gong) => gong.tool({ name: "t", description: "d", parameters: { type: "object" }, async execute(args, { signal }) { ${body} } })`

test("extensions are loaded in their order; each gets its facts, and failures have their reason", async (t) => {
  const at = opened(
    t,
    {
      "one.js": `export default async (gong) => {
      const { gong: version, name, cwd, workspace, settings, api } = gong
      await null
      gong.say(JSON.stringify([version, name, cwd, workspace, settings, api, process.env.A]))
      gong.command({ name: "c", about: "a", run: (rest) => "ran " + rest })
    }`,
      "later.js": "export const api = 2\nexport default () => undefined",
      "text.js": `export const api = "1"\nexport default () => undefined`,
      "none.js": "export default 1",
      "throws.js": "export default () => {\n  throw new Error('boom')\n}",
    },
    { env: { A: "b" } },
  )
  at.start()
  await at.until(({ kind }) => kind === "ready")
  const told = at.got.map((one) => {
    if (one.kind === "failed")
      return `${one.extension} ${englishOf(one.problem.message)} :${one.problem.line} ${one.timedOut}`
    if (one.kind === "loaded") return `${one.extension} loaded`
    return one.kind === "notice" ? `${one.extension} ${one.level} ${one.session} ${one.text}` : one.kind
  })
  assert.deepEqual(told, [
    '0 info null ["1.2","one","/cwd","/workspace",{"of":"one.js"},1,"b"]',
    "0 loaded",
    "1 it was written for API 2, and this Gong has 1. Update Gong :null false",
    "2 it was written for API 1, and this Gong has 1. Update Gong :null false",
    "3 it has no default export that is a function. Write: export default function (gong) {...} :null false",
    "4 boom :2 false",
    "5 loaded",
    "ready",
  ])
  const loaded = at.got.find((one) => one.kind === "loaded")
  assert.ok(loaded?.kind === "loaded")
  const { commands, tools } = JSON.parse(loaded.json) as Readonly<Record<string, unknown>>
  assert.deepEqual([commands, tools], [[{ name: "c", about: "a", value: null }], []])
  assert.deepEqual(await at.call(0, { kind: "command", key: "c" }, ["x"]), { kind: "answer", id: 1, json: '"ran x"' })
  await at.end()
  assert.deepEqual(at.got.at(-1), { kind: "exiting", extension: 5 })
})

test("messages before the first one are ignored; pings are answered", async (t) => {
  const at = opened(t, {})
  at.post({ kind: "ping" })
  at.start()
  await at.until(({ kind }) => kind === "ready")
  assert.equal(
    at.got.some(({ kind }) => kind === "pong"),
    false,
  )
  at.post({ kind: "ping" })
  await at.until(({ kind }) => kind === "pong")
  await at.end()
})

test("what is said, printed or thrown is attributed to its extension and session", async (t) => {
  const at = opened(t, {
    "a.js": `let api\nexport default (gong) => { api = gong; gong.tool({ name: "t", description: "d", parameters: { type: "object" },
      execute() { api.say("said", "warn"); console.log("printed"); Promise.reject(new Error("stray")); setTimeout(() => { throw "late" }); return 1 } }) }`,
    "b.js": withTool("throw new Error('in the call')"),
  })
  at.start()
  await at.until(({ kind }) => kind === "ready")
  assert.deepEqual(await at.call(0, tool("t"), [{}], 7), { kind: "answer", id: 1, json: "1" })
  await at.until((one) => one.kind === "unhandled" && one.problem.message === "late")
  const told = at.got.flatMap((one) => {
    if (one.kind === "unhandled") return [`${one.extension} ${one.session} ${englishOf(one.problem.message)}`]
    return "session" in one && "text" in one ? [`${one.kind} ${one.extension} ${one.session} ${one.text}`] : []
  })
  assert.deepEqual(told.slice(0, 2), ["notice 0 7 said", "printed 0 7 printed\n"])
  assert.ok(told.includes("0 7 late"))
  const stray = at.got.find((one) => one.kind === "unhandled" && one.problem.message === "stray")
  assert.ok(stray?.kind === "unhandled")
  assert.deepEqual([stray.extension, stray.problem.path], [0, join(at.root, "a.js/a.js")])
  const threw = await at.call(1, tool("t"), [{}])
  assert.ok(threw.kind === "threw")
  assert.deepEqual([threw.problem.message, threw.problem.path], ["in the call", join(at.root, "b.js/b.js")])
  const missing = await at.call(1, tool("none"), [{}])
  assert.ok(missing.kind === "threw" && /no such function/.test(englishOf(missing.problem.message)))
  await at.end()
})

test("a call is stopped; a question is replied to; chunks continue when they were consumed", async (t) => {
  const at = opened(t, {
    "a.js": withTool("return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')))"),
    "b.js": `export default (gong) => gong.command({ name: "c", about: "a", async run(rest, { confirm }) { return String(await confirm("Sure?")) } })`,
    "c.js": `export default (gong) => gong.provider({ name: "p", models: { m: {} }, async *stream() { for (let at = 0; at < 3; at++) yield "x".repeat(200_000) } })`,
  })
  at.start()
  await at.until(({ kind }) => kind === "ready")
  const waiting = at.call(0, tool("t"), [{}])
  at.post({ kind: "stop", id: 1 })
  assert.deepEqual(await waiting, { kind: "answer", id: 1, json: '"stopped"' })
  at.post({ kind: "call", id: 50, extension: 1, target: { kind: "command", key: "c" }, args: [""], interactive: true })
  const asked = await at.until(({ kind }) => kind === "ask")
  assert.ok(asked.kind === "ask")
  assert.deepEqual([asked.call, asked.question], [50, "confirm"])
  at.post({ kind: "reply", id: asked.id, value: true })
  const confirmed = await at.until((one) => one.kind === "answer" && one.id === 50)
  assert.ok(confirmed.kind === "answer")
  assert.equal(confirmed.json, '"true"')
  const chunks = () => at.got.filter((one) => one.kind === "chunk").length
  at.post({
    kind: "call",
    id: 60,
    extension: 2,
    target: { kind: "provider", key: "p" },
    args: [new TextEncoder().encode("{}"), null],
  })
  await at.until(() => chunks() >= 2)
  assert.equal(chunks(), 2)
  at.post({ kind: "taken", id: 60, size: 400_004 })
  await at.until((one) => one.kind === "answer" && one.id === 60)
  assert.equal(chunks(), 3)
  await at.end()
})

test("registrations are remembered if all were loaded", async (t) => {
  for (const [more, remembered] of [
    [{}, true],
    [{ "bad.js": "throw new Error('no')" }, false],
  ] as const) {
    const at = opened(t, { "a.js": withTool("return 1"), ...more }, { memory: "memory.json" })
    at.start()
    await at.until(({ kind }) => kind === "ready")
    const file = join(at.root, "memory.json")
    assert.equal(existsSync(file), remembered)
    if (remembered) {
      const { registrations } = JSON.parse(readFileSync(file, "utf8")) as {
        readonly registrations: readonly unknown[][]
      }
      assert.deepEqual(
        registrations.map(([id]) => id),
        [0, 1],
      )
    }
    await at.end()
  }
})

test("an extension in TypeScript may have types; a fault of its syntax is located", async (t) => {
  const at = opened(t, {
    "typed.ts": `interface Gong { say(text: string): void }\nexport default (gong: Gong): void => gong.say("typed" satisfies string)\n`,
    "module.mts":
      "const word: string = 'module'\nexport default (gong: { say(text: string): void }) => gong.say(word)\n",
    "broken.ts": "export default () => 1\nconst x: = 1\n",
    "plain.js": "const x: string = 1\nexport default () => 1\n",
  })
  at.start()
  await at.until(({ kind }) => kind === "ready")
  const told = at.got.flatMap((one) => {
    if (one.kind === "notice") return [`${one.extension} ${one.text}`]
    return one.kind === "failed" ? [`${one.extension} failed :${one.problem.line}`] : []
  })
  assert.deepEqual(told, ["0 typed", "1 module", "2 failed :2", "3 failed :1"])
  await at.end()
})
