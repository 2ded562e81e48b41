import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { sandboxed } from "../../src/host/sandbox/index.ts"
import { createLocalHost } from "../../src/host/local.ts"
import { spareIn } from "../bash/leftovers.ts"
import { place } from "../place.ts"
import { defaults, noSandbox } from "./sandbox-place.ts"
import { spyOnSpares } from "./spare-place.ts"

const fixture = (name: string) => join(import.meta.dirname, "..", "fixtures", name)

test("a program ends though a sandbox waits, which ends with it", { skip: noSandbox }, async (t) => {
  const here = place(t)
  for (const folder of ["work", "blank"]) mkdirSync(here.at(folder))
  const args = [fixture("waits-for-nothing.ts"), here.at("work"), here.at("blank")]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 20_000 })
  assert.deepEqual([status, stdout], [0, "one waits\n"])
  await until(() => !spareIn(here.at("work")))
})

test("one that nobody needs for a minute ends", { skip: noSandbox }, async (t) => {
  const here = place(t)
  for (const folder of ["work", "blank"]) mkdirSync(here.at(folder))
  const cwd = here.at("work")
  const spied = spyOnSpares(createLocalHost({ cwd, home: here.at("none") }))
  const host = sandboxed(spied.host, defaults([cwd], here.at("blank")))
  t.mock.timers.enable({ apis: ["setTimeout"] })
  await host.exec("true", { cwd, job: "1", signal: new AbortController().signal, onData: () => undefined })
  assert.equal(spareIn(cwd), false, "it is begun behind the result")
  t.mock.timers.tick(10)
  await spied.waits()
  t.mock.timers.tick(59_000)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(spareIn(cwd), true)
  t.mock.timers.tick(1_000)
  await until(() => !spareIn(cwd) && readdirSync(cwd).length === 0)
  assert.equal(spied.used, 0)
})

const cannotMount = spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status !== 0

test(
  "a disk that is mounted while one waits can be written to in it, so it is not used",
  { skip: noSandbox || (cannotMount && "nothing can be mounted here") },
  (t) => {
    const args = ["-m", process.execPath, fixture("mounted-meanwhile.ts"), place(t).cwd]
    const { stdout, stderr } = spawnSync("unshare", args, { encoding: "utf8", timeout: 20_000 })
    assert.deepEqual(JSON.parse(stdout || "null"), { writable: true, refused: true, used: 0 }, stderr)
  },
)

/** Asks again until it is so: the test ends with its time. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
