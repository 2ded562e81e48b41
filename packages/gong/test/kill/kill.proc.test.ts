import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { createTape, type Tape } from "@gong/tape"
import { nodeDisk, nodeMachine, openStore } from "@gong/tape/file"
import { systemClock, systemIds } from "@gong/app/ports"
import { eventsOf, ofType, openStage, type Run, type Stage } from "../program/harness.ts"
import { killAll } from "./run.ts"
import { answer, linesOf, original, scenarios } from "./scenarios.ts"
import { straceMissing, under } from "./strace.ts"

const skip = straceMissing()

/** Points of each scenario that are tried here; `npm run kill:all` tries all of them. */
const sampled = 6

for (const { name } of scenarios) {
  test(
    `killed, or with a disk error, at any system call of ${name}: nothing acknowledged is lost, and the session continues`,
    { skip },
    async (t) => {
      const tally = await killAll({ only: name, seeds: Array.from({ length: sampled }, (_, at) => 7 + at), workers: 2 })
      t.diagnostic(`${tally.tried} of ${tally.all} points tried`)
      assert.deepEqual(tally.failed, [])
      assert.equal(tally.tried, sampled)
    },
  )
}

function opened(stage: Stage): Tape {
  const ports = { disk: nodeDisk(), clock: systemClock, ids: systemIds(systemClock), machine: nodeMachine() }
  return createTape(openStore(ports, { path: join(stage.gongHome, "sessions/s1"), readOnly: true }), ports)
}

/** A run whose session meets a full disk at these writes of its lines. */
async function runWhileFull(stage: Stage, when: string): Promise<Run> {
  stage.write({ "a.txt": original })
  const inject = [`write:error=ENOSPC:when=${when}`]
  const path = linesOf(stage, "s1")
  const words = under({ log: join(stage.root, "trace"), path, inject })
  return stage.start(["-p", "--output", "events", "--yolo", "--session-id", "s1", "fix it"], { under: words }).ended
}

test(
  "a temporarily full disk is reported at once, changes are refused, and pending entries are written later",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: answer })
    // The first write creates the session; the disk is full from the reply with the edit on.
    const run = await runWhileFull(stage, "6..9")
    const lines = eventsOf(run)
    const notification = lines.findIndex((line) => line.type === "notice" && line.code === "storage")
    assert.ok(notification > 0, run.out)
    const refused = lines.findIndex((line) => line.type === "tool_execution_end" && line.status === "refused")
    assert.ok(refused > notification, "said before anything is refused")
    const tape = opened(stage)
    for (const line of lines)
      if ("entry" in line && typeof line.entry === "string") assert.ok(tape.has(line.entry), line.entry)
    assert.equal(run.status, 0, run.err)
    tape.close()
  },
)

test(
  "a full disk is reported, no file is changed without an entry, and the session continues from the stored state",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: answer })
    const run = await runWhileFull(stage, "6+")
    assert.match(run.out, /"code":"storage"/)
    assert.equal(stage.read("a.txt"), original)
    const printed = ofType(eventsOf(run), "tool_execution_end").map(({ content }) => JSON.stringify(content))
    const refusals = printed.filter((text) => text.includes("Refused: the session cannot be written"))
    assert.deepEqual([printed.length, refusals.length], [4, 3], "all but the one that only reads")
    const again = await stage.gong(["-c", "-p", "-q", "go on"])
    assert.deepEqual([again.status, again.out], [0, "Still here.\n"])
  },
)
