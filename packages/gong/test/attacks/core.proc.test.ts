import assert from "node:assert/strict"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { textOf } from "@gong/spec"
import { attack } from "@gong/testing/attacks"
import { canary, eventsOf, ofType, openStage } from "../program/harness.ts"

const skip = whyNot()

function whyNot(): string | false {
  if (process.platform !== "linux") return "core files are kept from keys on Linux only"
  const pattern = readFileSync("/proc/sys/kernel/core_pattern", "utf8").trim()
  return pattern === "core" ? false : `core files do not lie in the working directory here (${pattern})`
}

const dumping = ["bash", "-c", 'ulimit -c unlimited && exec "$@"', "bash"]

attack(
  "[SAFE-24] when Gong crashes, the core file in the workspace holds no key",
  async (t, guard) => {
    const stage = await openStage(t, { otherwise: { fault: { kind: "stall", after: "headers" } } })
    const live = stage.start(["--output", "events", "hello"], { under: dumping })
    await live.event("turn_start")
    if (guard === "off") writeFileSync(`/proc/${live.child.pid}/coredump_filter`, "0x33")
    live.child.kill("SIGABRT")
    assert.equal((await live.ended).signal, "SIGABRT")
    const core = readdirSync(stage.repo).find((name) => name.startsWith("core")) ?? assert.fail("no core file")
    return { reached: readFileSync(join(stage.repo, core)).includes(canary), printed: core }
  },
  { skip },
)

test("core dumps of commands are not changed", { skip }, async (t) => {
  const usual = readFileSync("/proc/self/coredump_filter", "utf8")
  const calls = [{ name: "bash", args: { command: "cat /proc/self/coredump_filter" } }]
  const stage = await openStage(t, { turns: [{ calls }, { text: "Right." }] })
  const run = await stage.gong(["--output", "events", "--yolo", "look"])
  assert.deepEqual(ofType(eventsOf(run), "tool_execution_end").map(textOf), [usual])
})
