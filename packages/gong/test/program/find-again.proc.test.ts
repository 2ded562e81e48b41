import assert from "node:assert/strict"
import { utimesSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Clock } from "@gong/spec"
import { createTape } from "@gong/tape"
import { createStore, nodeDisk, nodeMachine } from "@gong/tape/file"
import { systemIds } from "@gong/app/ports"
import { eventsOf, ofType, openStage, resultOf, type Run, type Stage } from "./harness.ts"

const day = 86_400_000

/** Sessions of other days in the same home; every tenth speaks Chinese of something else. */
function fill(stage: Stage, count: number): void {
  for (let n = 0; n < count; n++) {
    const then = Date.now() - (1 + (n % 30)) * day
    const clock: Clock = { now: () => then, sleep: () => Promise.resolve(), timer: () => () => undefined }
    const ports = { disk: nodeDisk(), clock, ids: systemIds(clock), machine: nodeMachine() }
    const sessions = join(stage.gongHome, "sessions")
    const id = `old-${String(n).padStart(4, "0")}`
    const tape = createTape(createStore(ports, { sessions, id, cwd: stage.repo, workspace: stage.repo }), ports)
    const text = n % 10 === 0 ? `修复第 ${n} 个登录错误` : `look at module ${n} and repair its tests`
    tape.append([{ type: "input", kind: "prompt", text, source: "user" }], { sync: false })
    tape.append([{ type: "message", message: { role: "user", content: [{ type: "text", text }] } }], { sync: false })
    tape.close()
    age(stage, id, then)
  }
}

/** As if nothing had been written to the session since. */
function age(stage: Stage, id: string, then: number): void {
  utimesSync(join(stage.gongHome, "sessions", id, "anchors/001_session-start/entries.jsonl"), then / 1000, then / 1000)
}

function ok(run: Run): Run {
  assert.equal(run.status, 0, run.err)
  return run
}

test("a session is found by two Chinese characters, forked, undone, killed and continued", async (t) => {
  const edit = { name: "edit", args: { path: "a.txt", edits: [{ oldText: "twice", newText: "once" }] } }
  const stage = await openStage(t, {
    turns: [
      { calls: [{ name: "read", args: { path: "a.txt" } }] },
      { text: "折扣被减了两次。", calls: [edit] },
      { text: "修好了。" },
      { calls: [{ name: "write", args: { path: "b.txt", content: "b\n" } }] },
      { text: "In the fork." },
      { calls: [{ name: "bash", args: { command: "until [ -e go ]; do sleep 0.05; done" } }] },
      { text: "On it goes." },
    ],
  })
  stage.write({ "a.txt": "subtract twice\n" })
  ok(await stage.gong(["-pq", "--session-id", "wanted-0001", "修复折扣"]))
  age(stage, "wanted-0001", Date.now() - 7 * day)
  fill(stage, 59)
  const before = stage.entries("wanted-0001")

  const found = JSON.parse(ok(await stage.gong(["sessions", "search", "折扣", "--json"])).out) as {
    hits: readonly { session: string }[]
  }
  assert.deepEqual([...new Set(found.hits.map(({ session }) => session))], ["wanted-0001"])

  const forked = resultOf(ok(await stage.gong(["--output", "json", "-q", "--fork", "wanted-0001", "and b?"])))
  assert.equal(forked.text, "In the fork.")
  assert.notEqual(forked.session, "wanted-0001")
  assert.ok(JSON.stringify(stage.server.requests.at(-1)?.body).includes("折扣被减了两次"), "it knows what was said")
  assert.deepEqual([stage.read("a.txt"), stage.read("b.txt")], ["subtract once\n", "b\n"])

  const undone = ok(await stage.gong(["undo", "--session", forked.session])).out.split("\n")
  assert.deepEqual(
    [undone.toSorted(), stage.read("a.txt")],
    [["", `restored  ${stage.repo}/a.txt`, `restored  ${stage.repo}/b.txt`], "subtract twice\n"],
  )

  const killed = stage.start(["--output", "events", "--yolo", "--session", forked.session, "wait"])
  await killed.event("tool_execution_start")
  killed.child.kill("SIGKILL")
  const { signal } = await killed.ended
  assert.equal(signal, "SIGKILL")
  stage.write({ go: "" })

  const again = ok(await stage.gong(["--output", "events", "-c", "go on"]))
  assert.equal(ofType(eventsOf(again), "session")[0]?.id, forked.session, "-c is the newest one")
  assert.equal(resultOf(again).text, "On it goes.")
  const asked = JSON.stringify(stage.server.requests.at(-1)?.body)
  for (const part of ["修复折扣", "and b?", "wait", "Interrupted: Gong stopped while this ran"])
    assert.ok(asked.includes(part), part)
  assert.equal(ofType(eventsOf(again), "tool_execution_start").length, 0, "nothing is run again by itself")
  assert.deepEqual(stage.entries("wanted-0001"), before, "the session that was forked is as it was")
  assert.equal(stage.sessions().length, 61)
})
