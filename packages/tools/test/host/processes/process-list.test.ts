import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { test } from "node:test"
import {
  environmentOf,
  isStill,
  listProcesses,
  ticksNow,
  TICKS_PER_SECOND,
} from "../../../src/host/processes/process-list.ts"

const skip = existsSync("/proc/self/stat") ? false : "there is no /proc to look for processes in"

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}

test(
  "a running process is listed with its session and start; one that has ended and waits for its parent is not",
  { skip },
  async (t) => {
    // The shell is replaced by a program that does not wait for its child.
    const child = spawn("sh", ["-c", "true & exec sleep 1000"], {
      detached: true,
      stdio: "ignore",
      env: { A: "b", C: "" },
    })
    t.after(() => child.kill("SIGKILL"))
    await once(child, "spawn")
    const pid = child.pid ?? 0
    const isZombie = () => {
      const [below] = textOf(`/proc/${pid}/task/${pid}/children`).split(" ")
      return below !== undefined && below !== "" && / Z /.test(textOf(`/proc/${below}/stat`))
    }
    while (textOf(`/proc/${pid}/comm`) !== "sleep\n" || !isZombie())
      await new Promise((resolve) => setImmediate(resolve))
    const rows = listProcesses()?.filter(({ session }) => session === pid) ?? []
    assert.deepEqual(
      rows.map((row) => row.pid),
      [pid],
    )
    const [row] = rows
    assert.ok(row)
    const fields = textOf(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? []
    assert.equal(row.start, Number(fields[19]))
    assert.ok(row.start <= ticksNow() + TICKS_PER_SECOND)
    assert.equal(TICKS_PER_SECOND, 100)
    assert.deepEqual(
      [isStill(row), isStill({ ...row, start: row.start - 1 }), isStill({ ...row, pid: 0 })],
      [true, false, false],
    )
    assert.match(environmentOf(pid), /\0A=b\0/)
    assert.equal(environmentOf(0), "")
  },
)
