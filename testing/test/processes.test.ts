import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { test, type TestContext } from "node:test"
import { alive, killDescendant, killGroup, sleeper } from "@gong/testing/processes"

const skip = existsSync("/proc/self/stat") ? false : "there is no /proc to look for processes in"

async function started(t: TestContext, command: string, detached = false) {
  const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "ignore"], detached })
  t.after(() => child.kill("SIGKILL"))
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  return { child, printed: Number(line.toString()), ended: once(child, "exit") }
}

test("a descendant gets its signal, including a child's child", { skip }, async (t) => {
  const { printed, ended } = await started(t, "sleep 1000 & echo $!; wait $!; exit 7")
  assert.equal(killDescendant(printed), true)
  assert.deepEqual(await ended, [7, null])
  assert.equal(killDescendant(printed), false, "it has ended")
})

test(
  "a process that is not a descendant gets no signal, whatever pid a command in a PID namespace printed",
  { skip },
  () => {
    for (const pid of [1, process.ppid, process.pid]) {
      assert.throws(() => killDescendant(pid), /is no descendant of this one/, String(pid))
    }
  },
)

test("a process group that has ended gets no signal, since its id may be reused", { skip }, async (t) => {
  const { child, ended } = await started(t, "echo 1; sleep 1000", true)
  assert.equal(killGroup(child, "SIGTERM"), true)
  assert.deepEqual(await ended, [null, "SIGTERM"])
  assert.equal(killGroup(child, "SIGTERM"), false)
})

test("a marked sleeper is found and killed in its own session, and no other is", { skip }, async (t) => {
  const [mine, other] = [sleeper(), sleeper()]
  t.after(() => other.kill())
  await started(t, `setsid ${mine.command} >&- & setsid ${other.command} >&- & echo 1; wait`)
  while (!mine.alive() || !other.alive()) await new Promise(setImmediate)
  mine.kill()
  while (mine.alive()) await new Promise(setImmediate)
  assert.equal(other.alive(), true)
})

test("a zombie is not alive", { skip }, async (t) => {
  // Bash becomes a program that never waits for its child.
  const { printed } = await started(t, "sleep 0 & echo $!; exec sleep 1000")
  while (alive(printed)) await new Promise(setImmediate)
})
