import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { eventsOf, type Line, ofType, openStage, type Stage } from "./harness.ts"

const look = { text: "I will look.", calls: [{ name: "read", args: { path: "a.txt" } }] }

/** Differences of a replay: times, numbers, and state of the process. */
function comparable(lines: readonly Line[]): readonly unknown[] {
  return lines.map((line) => {
    const { seq: _seq, time: _time, ...rest } = line
    if (rest.type === "session") {
      const { permission: _p, sandbox: _s, trusted: _t, resumed: _r, ...known } = rest
      return known
    }
    if (rest.type === "result") return { ...rest, durationMs: 0 }
    return rest
  })
}

async function replay(stage: Stage, ...more: readonly string[]): Promise<readonly Line[]> {
  const [id = ""] = stage.sessions()
  const run = await stage.gong(["sessions", "show", id, "--output", "events", ...more])
  assert.deepEqual([run.status, run.err], [0, ""])
  return run.out === "" ? [] : eventsOf(run)
}

/** The state after kill -9 following the start of a tool: the lines until then, of the stream and of the session. */
function cutInTool(stage: Stage, lines: readonly Line[], tool: string): readonly Line[] {
  const at = lines.findIndex((line) => line.type === "tool_execution_start" && line.name === tool)
  const file = join(stage.gongHome, "sessions", stage.sessions()[0] ?? "", "anchors/001_session-start/entries.jsonl")
  const kept = readFileSync(file, "utf8").split("\n")
  const last = kept.findIndex((line) => line.startsWith(`{"id":"${lines[at]?.entry}"`))
  assert.ok(last > 0)
  writeFileSync(file, `${kept.slice(0, last + 1).join("\n")}\n`)
  return lines.slice(0, at + 1)
}

test("show --output events has the same lines as the live run, from the first to the result", async (t) => {
  const refused = { calls: [{ name: "bash", args: { command: "git push" } }] }
  const stage = await openStage(t, { turns: [look, refused, { text: "alpha" }] })
  stage.write({ "a.txt": "alpha\n" })
  const run = await stage.gong(["--output", "events", "read it"])
  assert.equal(run.status, 0, run.err)
  const live = eventsOf(run)
  assert.ok(ofType(live, "notice").length === 0 && live.length > 10)
  const replayed = await replay(stage)
  assert.deepEqual(comparable(replayed), comparable(live))
  assert.deepEqual(
    replayed.map(({ seq }) => seq),
    live.map(({ seq }) => seq),
  )
  assert.ok(live.slice(1, -1).every(({ entry }) => entry !== undefined))
  assert.deepEqual(await replay(stage, "--after", "4"), replayed.slice(4))
  assert.deepEqual(await replay(stage, "--after", String(replayed.length)), [])
})

test("after an interruption in a tool, --after returns the rest of the events, from the last and from an earlier entry", async (t) => {
  const ls = { text: "I will list.", calls: [{ name: "bash", args: { command: "ls" } }] }
  const stage = await openStage(t, { turns: [look, ls, { text: "never seen" }, { text: "interrupted, I see" }] })
  stage.write({ "a.txt": "alpha\n" })
  const run = await stage.gong(["--output", "events", "--partial", "--yolo", "go"])
  const got = cutInTool(stage, eventsOf(run), "bash")
  const kept = got.filter(({ type, entry }) => type === "session" || entry !== undefined)
  const last = kept.at(-1)?.entry ?? ""
  assert.deepEqual(await replay(stage, "--after", last), [], "nothing that was not said")
  const unfinished = comparable(await replay(stage)) as readonly Line[]
  assert.deepEqual(
    unfinished.filter(({ type }) => type !== "turn_start"),
    comparable(kept.filter(({ type }) => type !== "turn_start")),
  )

  assert.equal((await stage.gong(["-pq", "-c", "go on"])).status, 0)
  const all = await replay(stage)
  const [end] = ofType(all, "tool_execution_end").slice(-1)
  assert.deepEqual([end?.status, end?.name], ["aborted", "bash"])
  assert.deepEqual(
    ofType(all, "result").map(({ status, text, run, turns }) => [status, text, run, turns]),
    [["done", "interrupted, I see", ofType(all, "agent_start").at(-1)?.run, 1]],
  )
  for (const entry of [last, kept.find((line) => line.entry !== undefined)?.entry ?? ""]) {
    const at = all.findLastIndex((line) => line.entry === entry)
    assert.deepEqual(await replay(stage, "--after", entry), all.slice(at + 1))
  }
})

test("an unknown entry, and --after with other commands: one line, status 2; long texts are truncated as live", async (t) => {
  const stage = await openStage(t, { turns: [{ text: "x".repeat(1_200_000) }] })
  assert.equal((await stage.gong(["-pq", "long"])).status, 0)
  const [id = ""] = stage.sessions()
  const show = ["sessions", "show", id]
  const unknown = await stage.gong([...show, "--output", "events", "--after", "zzzzzzzzzzzz"])
  assert.deepEqual([unknown.status, unknown.out], [2, ""])
  assert.match(unknown.err, /^gong: --after zzzzzzzzzzzz: the active branch of session \S+ has no such entry\. .*\n$/)
  for (const args of [show, ["sessions", "list"]]) {
    const elsewhere = await stage.gong([...args, "--after", "3"])
    assert.deepEqual(
      [elsewhere.status, elsewhere.err],
      [2, 'gong: --after works only with "gong sessions show ID --output events".\n'],
    )
  }
  const run = await stage.gong([...show, "--output", "events"])
  assert.ok(run.out.split("\n").every((line) => line.length <= 1_000_000))
  assert.match(run.out, /x{100000}\.\.\. \[cut: 1200000 characters\]/)
})
