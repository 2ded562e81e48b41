import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { crc32 } from "node:zlib"
import { eventsOf, ofType, openStage, resultOf } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

// Endlessly nested values, at each place where the program reads external JSON while it runs.

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`
const deep = 3000

for (const api of ["openai-completions", "anthropic-messages", "openai-responses", "google-generative-ai"] as const) {
  test(`${api}: a call with arguments of ${deep} levels is a tool error, and the run and later runs continue`, async (t) => {
    const args = api === "google-generative-ai" ? JSON.parse(nested(deep)) : nested(deep)
    const stage = await openStage(t, {
      api,
      turns: [{ calls: [{ name: "ls", args }] }, { text: "flatter" }, { text: "later" }],
    })
    const run = await stage.gong(["--output", "events", "go"])
    assert.deepEqual([run.status, resultOf(run).status], [0, "done"])
    const [end] = ofType(eventsOf(run), "tool_execution_end")
    assert.match(JSON.stringify(end), /The arguments of ls are nested more than 500 levels deep\. Nothing was run\./)
    assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /nested more than 500 levels deep/)
    const later = await stage.gong(["-c", "-p", "and?"])
    assert.deepEqual([later.status, later.out], [0, "later\n"])
  })
}

test("rpc: a line that is nested too deeply is refused, and the next one is answered", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  const rpc = startRpc(t, stage)
  for (const levels of [deep, 1_000_000]) {
    rpc.write(`{"id":"x","type":"prompt","message":${nested(levels)}}\n`)
    const { success, error } = await rpc.unnamed()
    assert.deepEqual(
      [success, error?.code, error?.message],
      [false, "bad_json", "This line is nested more than 500 levels deep"],
    )
  }
  assert.equal(typeof (await rpc.request("get_state")).session, "string")
  rpc.close()
  await rpc.ended
})

test("a hook output that is nested too deeply is a reported failure of the hook, and the call runs", async (t) => {
  const stage = await openStage(t, { turns: [{ calls: [{ name: "ls", args: {} }] }, { text: "done" }] })
  mkdirSync(stage.gongHome, { recursive: true, mode: 0o700 })
  const answer = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":${nested(deep)}}}`
  writeFileSync(join(stage.root, "answer.json"), answer)
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: `cat ${stage.root}/answer.json` }] }] }
  writeFileSync(join(stage.gongHome, "settings.json"), JSON.stringify({ hooks }))
  const run = await stage.gong(["--output", "events", "--no-session", "go"])
  assert.equal(run.status, 0)
  assert.match(run.out, /its answer is nested more than 500 levels deep/)
  assert.equal(ofType(eventsOf(run), "tool_execution_end")[0]?.status, "ok")
})

test("gong import reports a file that is nested too deeply, and imports the others", async (t) => {
  const stage = await openStage(t)
  const { home } = stage
  stage.write({
    [`${home}/.claude/settings.json`]: `{"model": "m", "hooks": ${nested(deep)}}`,
    [`${home}/.claude.json`]: `// mine\n{"mcpServers": ${nested(100_000)}}`,
    [`${home}/.claude/commands/fix.md`]: "Fix it.\n",
    [`${home}/.codex/config.toml`]: `model = "gpt-5"\nmore = ${"[".repeat(5000)}${"]".repeat(5000)}\n`,
    [`${home}/.codex/prompts/ship.md`]: "Ship it.\n",
  })
  const claude = await stage.gong(["import", "--from", "claude"])
  assert.equal(claude.status, 0)
  assert.equal(claude.out.match(/nested more than 500 levels deep/g)?.length, 2)
  assert.match(claude.out, /commands +\/fix /)
  const codex = await stage.gong(["import", "--from", "codex"])
  assert.equal(codex.status, 0)
  assert.match(codex.out, /config\.toml: .*(?:depth|deep|nest)/i)
  assert.match(codex.out, /commands +\/ship /)
})

test("a session with an entry that is nested too deeply is listed but cannot be continued, which is reported; others work", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  assert.equal((await stage.gong(["-p", "one"])).status, 0)
  const [id = ""] = stage.sessions()
  const folder = readdirSync(join(stage.gongHome, "sessions"), { recursive: true, encoding: "utf8" })
  const file = join(
    stage.gongHome,
    "sessions",
    folder.find((path) => path.includes(id) && path.endsWith("entries.jsonl")) ?? "",
  )
  const last = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? ""
  const parent = /"id":"(\w+)"/.exec(last)?.[1]
  const open = `{"id":"deep00000000","parentId":"${parent}","type":"message","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"x"}],"more":${nested(100_000)}}`
  writeFileSync(file, `${open},"crc":"${crc32(open).toString(16).padStart(8, "0")}"}\n`, { flag: "a" })
  const on = await stage.gong(["-c", "-p", "two"])
  assert.notEqual(on.status, 0)
  assert.match(on.err, /^gong: Entry deep00000000 cannot be read in \S+entries\.jsonl\.$/m)
  for (const words of [["sessions"], ["sessions", "search", "one"], ["sessions", "verify", id]]) {
    const run = await stage.gong(words)
    assert.doesNotMatch(run.err, /internal|call stack/i, words.join(" "))
    assert.match(run.out, /one|all checksums match/, words.join(" "))
  }
  assert.equal((await stage.gong(["-p", "three"])).out, "ok\n")
})
