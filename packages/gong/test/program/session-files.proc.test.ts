import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { eventsOf, ofType, openStage, resultOf, type Stage } from "./harness.ts"

/** The texts of the user that the model was sent last. */
function asked(stage: Stage): readonly string[] {
  const body = stage.server.requests.at(-1)?.body as { messages: { role: string; content: unknown }[] } | undefined
  return (body?.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => String(content))
}

const answers = { otherwise: () => ({ text: "Done." }) }

test("--fork continues in a copy with the context; the original session does not change", async (t) => {
  const stage = await openStage(t, answers)
  assert.equal((await stage.gong(["-pq", "one"])).status, 0)
  const [id = ""] = stage.sessions()
  const before = stage.entries(id)
  const run = await stage.gong(["--fork", id.slice(-8), "--output", "events", "two"])
  assert.equal(run.status, 0, run.err)
  assert.deepEqual(asked(stage), ["one", "two"])
  const [session] = ofType(eventsOf(run), "session")
  assert.deepEqual([session?.forkOf, session?.resumed, session?.id === id], [id, true, false])
  assert.deepEqual(stage.entries(id), before)
  assert.equal((await stage.gong(["-pq", "-c", "three"])).status, 0)
  assert.deepEqual(asked(stage), ["one", "two", "three"], "the newest is the fork")
})

test("--fork of an unknown session, with -c, or with another usage error leaves no copy", async (t) => {
  const stage = await openStage(t, answers)
  await stage.gong(["-pq", "one"])
  const [id = ""] = stage.sessions()
  const none = await stage.gong(["--fork", "nosuch", "-p", "x"])
  assert.deepEqual([none.status, /no session "nosuch"/.test(none.err)], [2, true])
  const both = await stage.gong(["--fork", id, "-c", "-p", "x"])
  assert.match(both.err, /--continue and --fork exclude each other/)
  const wrong = await stage.gong(["--fork", id, "-p", "--system-prompt", "@missing", "x"])
  assert.equal(wrong.status, 2, wrong.err)
  assert.deepEqual(stage.sessions(), [id])
})

test("export to the format of Pi and import are lossless; Markdown export", async (t) => {
  const stage = await openStage(t, {
    turns: [
      { text: "Looking.", calls: [{ name: "bash", args: { command: "echo hello" } }] },
      { text: "It said hello." },
    ],
    otherwise: () => ({ text: "Still here." }),
  })
  await stage.gong(["-pq", "--yolo", "--name", "my work", "run it"])
  const [id = ""] = stage.sessions()
  const pi = await stage.gong(["sessions", "export", "my work"])
  assert.deepEqual([pi.status, pi.err], [0, ""])
  const head = JSON.parse(pi.out.slice(0, pi.out.indexOf("\n"))) as Record<string, unknown>
  assert.deepEqual([head["type"], head["version"], head["id"]], ["session", 3, id])

  const saved = await stage.gong(["sessions", "export", id.slice(-8), "-o", "out.md"])
  assert.deepEqual([saved.out, saved.err], [`Session ${id.slice(-8)} is in out.md.\n`, ""])
  assert.match(stage.read("out.md"), /^# my work\n[^]*## You\n\nrun it\n[^]*### bash: `echo hello`\n[^]*```\nhello/)

  stage.write({ "old.jsonl": pi.out })
  const home = join(stage.root, "other")
  const back = await stage.gong(["sessions", "import", "old.jsonl"], { env: { GONG_HOME: home } })
  assert.deepEqual([back.status, back.err], [0, ""])
  assert.match(back.out, /^Session \S+: \d+ steps, from \S+repo\.\nContinue it: gong --session \S+\n$/)
  const again = await stage.gong(["sessions", "export", id], { env: { GONG_HOME: home } })
  assert.equal(again.out, pi.out)
  const run = await stage.gong(["-pq", "-c", "and now?"], { env: { GONG_HOME: home } })
  assert.deepEqual([run.status, run.out], [0, "Still here.\n"])
  assert.deepEqual(asked(stage), ["run it", "and now?"])

  const twice = await stage.gong(["sessions", "import", "old.jsonl"], { env: { GONG_HOME: home } })
  assert.equal(twice.status, 0)
  const list = await stage.gong(["sessions"], { env: { GONG_HOME: home } })
  assert.equal(list.out.trimEnd().split("\n").length, 2, "under an id of its own")
})

test("an invalid import is one line without leftovers; damaged parts of a file are reported", async (t) => {
  const stage = await openStage(t, answers)
  stage.write({
    "garbage.jsonl": "hello\n",
    "half.jsonl": `${JSON.stringify({ type: "session", id: "h", cwd: "/p" })}\n{"x`,
  })
  const run = await stage.gong(["sessions", "import", "garbage.jsonl"])
  const line =
    "gong: garbage.jsonl was not imported. This is no session of Pi: its first line is not the head of one.\n"
  assert.deepEqual([run.status, run.out, run.err], [2, "", line])
  const none = await stage.gong(["sessions", "import", "none.jsonl"])
  assert.deepEqual([none.status, none.err], [2, "gong: none.jsonl cannot be read (ENOENT).\n"])
  assert.equal(existsSync(stage.gongHome), false)
  const half = await stage.gong(["sessions", "import", "half.jsonl"])
  assert.match(half.out, /1 line\(s\) were invalid; the first: line 2, not JSON\./)
  const anchors = join(stage.gongHome, "sessions/h/anchors/001_session-start/entries.jsonl")
  assert.equal(readFileSync(anchors, "utf8").split("\n").length, 2)
  assert.equal(resultOf(await stage.gong(["--session", "h", "--output", "json", "-q", "x"])).session, "h")
})
