import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { dirname } from "node:path"
import { test, type TestContext } from "node:test"
import { nodeMachine, scopeOfStart } from "../../../src/store/lock/machine.ts"

const { pid } = process
const boot = "sys/kernel/random/boot_id"
const space = "self/ns/pid"

/** A folder like /proc; names of namespaces are links, as there. */
function procOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(`${tmpdir()}/gong-machine-`)
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true })
    if (name === space) symlinkSync(text, `${folder}/${name}`)
    else writeFileSync(`${folder}/${name}`, text)
  }
  return folder
}

const known = { [boot]: "0b8ae9d2-6dd2-4a5c-8f0e-1a2b3c4d5e6f\n", [space]: "pid:[4026531836]" }
const scope = "0b8ae9d2-6dd2/4026531836/"
/** As in proc(5): the start is field 22. */
const stat = (name: string, state: string): string =>
  `${pid} (${name}) ${state} ${Array.from({ length: 49 }, (_, at) => at + 4).join(" ")}\n`

test("a start is boot, pid namespace and the 22nd field, whatever the name of the process looks like", (t) => {
  for (const name of ["gong", "a b", "x) Z 1 (2", ") ", "Z"]) {
    const machine = nodeMachine(procOf(t, { ...known, [`${pid}/stat`]: stat(name, "S") }))
    assert.deepEqual([machine.startTime, machine.startTimeOf(pid)], [`${scope}22`, `${scope}22`], name)
    assert.equal(scopeOfStart(machine.startTime), scope)
  }
  assert.equal(scopeOfStart(""), "")
})

test("a process that is gone or a zombie has no start; where the system does not tell, it is an empty one", (t) => {
  const own = { [`${pid}/stat`]: stat("gong", "S") }
  const startIn = (files: Readonly<Record<string, string>>) => nodeMachine(procOf(t, files)).startTimeOf(pid)
  assert.equal(startIn({ ...known, [`${pid}/stat`]: stat("gong", "Z") }), null)
  assert.equal(startIn({ ...known, [`${pid}/stat`]: `${pid} (gong) S 4 5` }), scope)
  for (const files of [known, own, { ...own, [boot]: known[boot] }, { ...own, [space]: known[space] }, {}])
    assert.equal(startIn(files), "", Object.keys(files).join(", "))
  assert.equal(nodeMachine().startTimeOf(spawnSync("true").pid), null)
})

const skip = existsSync("/proc/self/stat") ? false : "the system has no /proc"

test("this process is named as its system names it", { skip }, () => {
  const { pid: named, host, startTime } = nodeMachine()
  assert.deepEqual([named, host], [pid, hostname()])
  const [, ticks] = /.*\) \S(?: -?\d+){18} (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? []
  assert.match(startTime, new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}/\\d+/${ticks}$`))
})

test("a process does not notice that its start was looked up", async () => {
  const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] })
  assert.notEqual(nodeMachine().startTimeOf(child.pid ?? -1), null)
  child.stdin.end()
  assert.deepEqual(await once(child, "exit"), [0, null])
})
