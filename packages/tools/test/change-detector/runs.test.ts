import assert from "node:assert/strict"
import { test } from "node:test"
import { createRuns } from "../../src/change-detector/runs.ts"

const second = 1000
const run = (callId: string, from: number, to: number, job: number | null = null) => ({ callId, from, to, job })

test("a scan is due after a command, and at the end of a run while a job is running", () => {
  const runs = createRuns({ running: () => [] })
  assert.deepEqual([runs.isDue(false), runs.isDue(true)], [false, false])
  runs.jobRead()
  assert.equal(runs.isDue(false), false, "nothing runs")
  runs.ended(run("a", 0, 1))
  assert.equal(runs.isDue(false), true)
  runs.scanned(new Set())
  assert.deepEqual([runs.isDue(false), runs.isDue(true)], [false, false])
  runs.ended(run("b", 0, 1, 7))
  runs.scanned(new Set([7]))
  assert.deepEqual([runs.isDue(false), runs.isDue(true)], [false, true])
  runs.jobRead()
  assert.equal(runs.isDue(false), true)
  runs.scanned(new Set([8]))
  runs.jobRead()
  assert.deepEqual([runs.isDue(false), runs.isDue(true)], [false, false])
})

test("a change belongs to the last command that ran at its time; later changes belong to a background job", () => {
  const runs = createRuns({ running: () => [] })
  assert.equal(runs.callAt(null), null)
  runs.ended(run("job", 100 * second, 101 * second, 7))
  runs.scanned(new Set([7]))
  runs.ended(run("a", 200 * second, 201 * second))
  runs.ended(run("b", 300 * second, 301 * second))
  const at = (seconds: number) => runs.callAt(seconds * second)
  assert.deepEqual([at(200.5), at(300.5), at(250), at(50), runs.callAt(null)], ["a", "b", "job", null, "b"])
  runs.scanned(new Set())
  assert.equal(at(300.5), null)
})

test("running jobs come from the job table", () => {
  const running = [{ number: 3 }, { number: 5 }]
  const runs = createRuns({ running: () => running as never })
  assert.deepEqual(runs.running(), new Set([3, 5]))
})
