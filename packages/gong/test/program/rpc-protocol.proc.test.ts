import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { test, type TestContext } from "node:test"
import { fileURLToPath } from "node:url"
import { checkArguments, isRecord, type JsonSchema, protocol } from "@gong/spec"
import type { Turn } from "@gong/testing/model-server"
import { launcher, openStage, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

const docs = fileURLToPath(new URL("../../../../docs", import.meta.url))
const goldenFile = fileURLToPath(new URL(`rpc-${protocol}.golden.jsonl`, import.meta.url))
const bash = (command: string): Turn => ({ calls: [{ name: "bash", args: { command } }] })

test("the lines of a conversation match the shipped schema and the golden file of the protocol", async (t) => {
  const { sent, lines } = await conversation(t)
  assert.deepEqual(await misfits("RpcLine", lines), [])
  assert.deepEqual(await misfits("RpcCommand", sent), [])
  const event = { type: "agent_end", seq: 1, time: "now", status: "done", added: "later" }
  assert.deepEqual(await misfits("RpcLine", [event, { ...event, status: "odd" }]), [{ ...event, status: "odd" }])

  const now = kinds(lines.map(steady))
  // A new protocol starts with a new file: `GOLDEN=write npm test -- rpc-protocol`; afterwards it is fixed.
  if (process.env["GOLDEN"] === "write")
    writeFileSync(goldenFile, [...now.values()].map((line) => `${JSON.stringify(line)}\n`).join(""))
  const golden = readFileSync(goldenFile, "utf8").trimEnd().split("\n")
  assert.ok(golden.length > 50)
  for (const text of golden) {
    const line = JSON.parse(text) as Line
    const found = now.get(kindOf(line))
    assert.ok(found, `no line of this kind comes any more: ${kindOf(line)}`)
    assert.deepEqual(missing(line, found, kindOf(line)), [])
  }
})

test("a removed or changed field is detected", () => {
  const before = { type: "x", a: 1, list: [{ b: "c" }], kept: null }
  assert.deepEqual(missing(before, { ...before, more: 1 }, "x"), [])
  assert.deepEqual(missing(before, { type: "x", list: [{ b: 5 }], kept: 1 }, "x"), ["x.a", "x.list.0.b", "x.kept"])
})

/** Lines that do not match a definition of the shipped schema. */
async function misfits(definition: string, all: readonly Line[]): Promise<readonly Line[]> {
  const schema = JSON.parse(readFileSync(join(docs, `rpc-${protocol}.schema.json`), "utf8")) as JsonSchema
  const wanted: JsonSchema = { ...schema, anyOf: [{ $ref: `#/definitions/${definition}` }] }
  const wrong: Line[] = []
  for (const one of all) if (!(await checkArguments(wanted, one)).ok) wrong.push(one)
  return wrong
}

interface Line {
  readonly type: string
  readonly [field: string]: unknown
}

/** One line of each kind, the first that came. */
function kinds(lines: readonly Line[]): ReadonlyMap<string, Line> {
  const found = new Map<string, Line>()
  for (const line of lines) if (!found.has(kindOf(line))) found.set(kindOf(line), line)
  return found
}

function kindOf({ type, command, success, error, kind, message }: Line): string {
  const role = isRecord(message) ? message["role"] : undefined
  const code = isRecord(error) ? error["code"] : undefined
  return [type, command, success === false ? code : undefined, kind, role]
    .filter((part) => typeof part === "string")
    .join(" ")
}

/** Values that differ between runs, replaced by constant names. */
function steady(line: unknown): Line {
  const text = JSON.stringify(line, (key, value: unknown) => {
    if (typeof value === "number" && /(Ms|_ms|_at)$|^(seq|tokensBefore|tokensAfter)$/.test(key)) return 0
    if (typeof value !== "string") return value
    return value
      .replaceAll(/\/[^\s"]*gong-program-\w+/g, "/stage")
      .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<session>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/\b(?=\w*\d)[0-9a-hjkmnp-tv-z]{12}\b/g, "<entry>")
  })
  return JSON.parse(text) as Line
}

/** Locations at which a value of the golden line is missing or of another type; additional values are permitted. */
function missing(golden: unknown, now: unknown, at: string): readonly string[] {
  if (Array.isArray(golden)) {
    if (!Array.isArray(now)) return [at]
    const [first] = golden
    return golden.length === 0 || now.length === 0 ? [] : missing(first, now[0], `${at}.0`)
  }
  if (isRecord(golden)) {
    if (!isRecord(now)) return [at]
    return Object.entries(golden).flatMap(([key, value]) =>
      key in now ? missing(value, now[key], `${at}.${key}`) : [`${at}.${key}`],
    )
  }
  return typeof golden === typeof now && (golden === null) === (now === null) ? [] : [at]
}

/** Every command once, with its effects. */
async function conversation(t: TestContext) {
  const broken: Turn = { fault: { kind: "status", status: 500, message: "oh" } }
  const long: Turn = { text: `an answer ${"of many words ".repeat(200)}` }
  const stage = await openStage(t, {
    turns: [bash("touch made.txt"), { text: "made" }, broken, long, long, { text: "## Goal\nall of it" }, broken],
  })
  const client = startRpc(t, stage, [
    "--permission",
    "ask",
    "--set",
    "retry.baseMs=1",
    "--set",
    "compaction.keepRecentTokens=200",
  ])
  const write = (command: object): void => client.write(`${JSON.stringify(command)}\n`)
  const sent: Line[] = []
  const request: typeof client.request = (type, args) => {
    sent.push({ type, ...args })
    return client.request(type, args)
  }
  await request("hello", { protocol: 1, client: { name: "golden", version: "1" } })
  await request("prompt", { text: "make it" })
  const { id } = await client.event("permission_request")
  await request("steer", { text: "and this", when: "after-tool" })
  await request("follow_up", { text: "never mind" })
  const { followUp } = await request("get_state")
  await request("remove_queued", { target: followUp[0]?.id ?? "" })
  await request("clear_queue")
  await request("permission_reply", { target: id, choice: "once" })
  await client.event("result")
  await request("bash", { command: "echo hello" })
  for (const text of ["first", "second"]) {
    await request("prompt", { text })
    await client.event("result")
  }
  const { messages } = await request("get_messages", { limit: 10 })
  await request("get_entries", { limit: 5 })
  await request("compact", { focus: "words" })
  await request("get_tree")
  await request("get_stats")
  await request("get_commands")
  await request("label", { entry: messages[0]?.entry ?? "", label: "begin" })
  await request("set_name", { name: "golden" })
  await request("navigate", { entry: messages[1]?.entry ?? "" })
  await request("undo")
  await request("redo")
  await request("set_model", { model: "other" })
  await request("cycle_model")
  await request("get_available_models")
  await request("set_thinking_level", { level: "low" })
  await request("set_tools", { tools: ["readonly"] })
  await request("set_permission", { level: "auto" })
  await request("set_auto_compaction", { enabled: false })
  await request("set_auto_retry", { enabled: false })
  await request("prompt", { text: "fails" })
  await client.event("failure")
  await client.event("result")
  await request("export", { file: "golden.md" })
  const { session } = await request("fork", {})
  await request("new_session", { name: "next" })
  await request("switch_session", { session })
  await request("list_sessions", { all: true, limit: 5 })
  await request("search", { query: "words", limit: 2 })
  await request("abort")
  for (const wrong of [{ type: "nothing" }, { type: "prompt" }, { type: "navigate", entry: "none" }]) write(wrong)
  client.write("no json\n")
  for (let left = 4; left > 0; left--) await client.unnamed()
  await request("shutdown")
  await client.ended
  return { sent, lines: client.lines as unknown as readonly Line[] }
}

for (const [language, program, file] of [
  ["TypeScript", process.execPath, "client.ts"],
  ["Python", "python3", "client.py"],
] as const) {
  const skip = runs(program) ? false : `${program} is not here`
  test(
    `the ${language} client of the documentation: deltas, a question, the exit status; at most 50 lines of code`,
    { skip },
    async (t) => {
      const stage = await openStage(t, {
        turns: [bash("touch made.txt"), bash("touch never.txt"), { text: "Made one of two." }],
      })
      const run = await client(stage, program, join(docs, "clients", file), "y\nn\n")
      assert.deepEqual([run.status, run.err], [0, ""])
      assert.match(run.out, /Run "touch made\.txt" \(.*\)\? \[y\/n\] [^]*Made one of two\.\n$/)
      assert.deepEqual(
        ["made.txt", "never.txt"].map((name) => existsSync(join(stage.repo, name))),
        [true, false],
      )
      const code = readFileSync(join(docs, "clients", file), "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
      assert.ok(code.length <= 50, `${code.length} lines`)
    },
  )
}

function runs(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** Runs a client as its reader would, with `gong` in the PATH. */
async function client(stage: Stage, program: string, file: string, typed: string) {
  const bin = join(stage.root, "bin")
  mkdirSync(bin)
  writeFileSync(join(bin, "gong"), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`)
  chmodSync(join(bin, "gong"), 0o755)
  const PATH = [bin, stage.env["PATH"] ?? ""].join(delimiter)
  const child = spawn(program, [file, "make both"], {
    cwd: stage.repo,
    env: { ...stage.env, PATH, GONG_PERMISSION: "ask" },
  })
  child.stdin.end(typed)
  let [out, err] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece))
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece))
  const status = await new Promise((resolve) => child.once("close", resolve))
  return { status, out, err }
}
