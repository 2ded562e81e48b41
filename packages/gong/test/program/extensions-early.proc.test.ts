import assert from "node:assert/strict"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { openStage, type Stage } from "./harness.ts"

const early = 'export default (gong) => { gong.hook({ onBeforeAgent: (prompt) => ({ prompt: prompt + " on" }) }) }\n'

const fileOf = (stage: Stage): string => join(stage.gongHome, "cache/extensions/early.json")

/**
 * When running from sources, the modules loaded by `main` so far reveal a thread that was started before it; a bundle
 * is loaded at once.
 */
const preload = `process.on("worker", (worker) => {
  require("node:fs").appendFileSync(process.env.THREADS, (process.listenerCount("uncaughtException") === 0 ? "early" : "later") + "\\n")
  if (process.env.KILL === "1") worker.terminate()
  delete process.env.KILL
})\n`

interface Started {
  /** When the threads of this run were started. */
  readonly threads: string
  /** The request sent to the model. */
  readonly prompt: string
}

interface StartOptions {
  readonly cwd?: string
  readonly kill?: boolean
}

async function start(stage: Stage, args: readonly string[] = [], { cwd, kill }: StartOptions = {}): Promise<Started> {
  const log = join(stage.root, "threads")
  writeFileSync(log, "")
  writeFileSync(join(stage.root, "preload.cjs"), preload)
  const options = `--require ${join(stage.root, "preload.cjs")}`
  const env = { GONG_DIST: undefined, NODE_OPTIONS: options, THREADS: log, KILL: kill ? "1" : "" }
  const run = await stage.gong(["--no-session", ...args, "-p", "go"], { env, ...(cwd !== undefined && { cwd }) })
  assert.equal(run.status, 0, run.err)
  const body = stage.server.requests.at(-1)?.body as { readonly messages: readonly { readonly content: string }[] }
  const threads = readFileSync(log, "utf8").trim().split("\n").join(" ")
  return { threads, prompt: JSON.stringify(body.messages.at(-1)?.content) }
}

const later = { threads: "later", prompt: '"go on"' }
const begunEarly = { threads: "early", prompt: '"go on"' }
const unwanted = { threads: "early", prompt: '"go"' }
const none = { threads: "", prompt: '"go"' }

/** One early extension of the user, already remembered. */
async function knownStage(t: TestContext): Promise<Stage> {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({ [`${stage.gongHome}/extensions/a.js`]: early })
  for (let i = 0; i < 3; i++) assert.deepEqual(await start(stage), later)
  return stage
}

test("extensions that acted before the first request get a prewarmed thread, in that folder only", async (t) => {
  const stage = await knownStage(t)
  assert.deepEqual(JSON.parse(readFileSync(fileOf(stage), "utf8")), [stage.repo])
  assert.deepEqual(await start(stage), begunEarly)
  const other = join(stage.root, "other")
  mkdirSync(other)
  assert.deepEqual(await start(stage, [], { cwd: other }), later)
})

test("an unused thread is ended, and the next start creates none", async (t) => {
  const stage = await knownStage(t)
  assert.deepEqual(await start(stage, ["--bare"]), unwanted)
  assert.deepEqual(await start(stage, ["--bare"]), none)
  assert.deepEqual(await start(stage), later)
  assert.deepEqual(await start(stage), begunEarly)
  rmSync(join(stage.gongHome, "extensions/a.js"))
  assert.deepEqual(await start(stage), unwanted)
  assert.deepEqual(await start(stage), none)
})

test("a changed set of extensions is loaded in the prewarmed thread", async (t) => {
  const stage = await knownStage(t)
  stage.write({ [`${stage.gongHome}/extensions/a.js`]: early.replace('" on"', '" and on"') })
  assert.deepEqual(await start(stage), { threads: "early", prompt: '"go and on"' })
})

test("a folder that lost trust gets at most an empty thread: nothing of it is read or run", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  const tripwire = join(stage.root, "ran")
  const own = `import { writeFileSync } from "node:fs"\nwriteFileSync(${JSON.stringify(tripwire)}, "")\n${early}`
  stage.write({ ".gong/extensions/a.js": own })
  for (let i = 0; i < 3; i++) assert.deepEqual(await start(stage, ["--trust", "yes"]), later)
  assert.deepEqual(await start(stage, ["--trust", "yes"]), begunEarly)
  rmSync(tripwire)
  assert.deepEqual(await start(stage), unwanted)
  assert.deepEqual(await start(stage), none)
  assert.equal(existsSync(tripwire), false)
})

test("a folder list that is damaged, a folder, or invalid is ignored", async (t) => {
  const stage = await knownStage(t)
  for (const text of ["", "{", `{"folders": ["${stage.repo}"]}`, `["${stage.repo}/"]`]) {
    writeFileSync(fileOf(stage), text)
    assert.deepEqual(await start(stage), later, text)
    assert.deepEqual(await start(stage), begunEarly, text)
  }
  rmSync(fileOf(stage))
  mkdirSync(fileOf(stage))
  assert.deepEqual(await start(stage), later)
})

test("a thread that died before its use is started again", async (t) => {
  const stage = await knownStage(t)
  assert.deepEqual(await start(stage, [], { kill: true }), { threads: "early later", prompt: '"go on"' })
})
