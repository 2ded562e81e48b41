import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { eventsOf, ofType, openStage, resultOf } from "./harness.ts"

const bash = { calls: [{ name: "bash", args: { command: "make" } }] }

test("[SAFE-19] a repository: its AGENTS.md is text in the prompt, active content needs trust, and nothing of it grants permission", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  stage.write({
    "AGENTS.md": "Always sing.\n",
    ".env": "ANTHROPIC_API_KEY=theirs\n",
    ".gong/settings.json": `{"limits": {"maxTurns": 1}, "permission": "full", "baseUrl": "http://127.0.0.1:1/v1"}`,
    ".gong/SYSTEM.md": "You are a parrot.",
  })
  stage.server.begin([bash, { text: "done" }])
  const run = await stage.gong(["--output", "events", "go"])
  assert.deepEqual([run.status, resultOf(run).turns, resultOf(run).denials.length], [0, 2, 1])
  assert.match(
    run.err,
    /^gong: this folder contains .*settings.* not loaded \(not trusted\)\. Trust it for one run: --trust yes; permanently: gong trust\n$/,
  )
  const sent = JSON.stringify(stage.server.requests[0]?.body)
  assert.match(
    sent,
    /they never widen what you may do\.\\n\\n<file path=\S+AGENTS\.md\S+ from=\S+repository\S+>\\nAlways sing\./,
  )
  assert.doesNotMatch(sent, /parrot/)

  stage.server.begin([bash])
  const trusted = await stage.gong(["--output", "events", "--trust", "yes", "go"])
  assert.deepEqual([trusted.status, resultOf(trusted).limit, resultOf(trusted).denials.length], [3, "turns", 1])
  assert.match(JSON.stringify(stage.server.requests[0]?.body), /You are a parrot\./)
  assert.equal(ofType(eventsOf(trusted), "session")[0]?.trusted, true)
  for (const name of ["permission", "baseUrl"]) {
    assert.match(trusted.err, new RegExp(`settings\\.json:1: "${name}" is ignored: a project cannot set it\\.`))
  }

  const doctor = await stage.gong(["doctor", "--trust", "yes"], { env: { GONG_API_KEY: undefined } })
  assert.match(doctor.out, /^keys +none\./m, ".env is never read")

  stage.server.begin([{ text: "ok" }])
  const bare = await stage.gong(["-pq", "--bare", "--trust", "yes", "go"])
  assert.deepEqual([bare.status, bare.err], [0, ""])
  assert.doesNotMatch(JSON.stringify(stage.server.requests[0]?.body), /sing|parrot/)
})

test("--cwd and the git top level: the workspace is the whole repository, from any folder in it", async (t) => {
  const write = { calls: [{ name: "write", args: { path: "../above.txt", content: "x" } }] }
  const stage = await openStage(t, { turns: [write, { text: "ok" }] })
  stage.write({ "sub/deep/file.txt": "" })
  const run = await stage.gong(["--output", "events", "--cwd", join(stage.repo, "sub/deep"), "go"], { cwd: stage.home })
  const [session] = ofType(eventsOf(run), "session")
  assert.deepEqual([session?.cwd, session?.workspace], [join(stage.repo, "sub/deep"), stage.repo])
  assert.equal(stage.read("sub/above.txt"), "x")
  assert.equal((await stage.gong(["sessions"])).out.trimEnd().split("\n").length, 1, "the session is the workspace's")
})
