import assert from "node:assert/strict"
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import type { ExecResult } from "@gong/spec"
import { folder } from "@gong/testing/folder"
import { createLocalHost } from "../../../../src/host/local.ts"
import { createAutorunGuard } from "../../../../src/host/sandbox/autorun/autorun-guard.ts"
import type { SandboxOptions } from "../../../../src/host/sandbox/index.ts"
import { defaults } from "../sandbox-fixture.ts"

const fine: ExecResult = { code: 0, signal: null }

/** A guard of a project without commits, and commands that are work of this process. */
function guarded(t: TestContext, files: Readonly<Record<string, string>>, more: Partial<SandboxOptions> = {}) {
  const root = realpathSync(folder(t, files))
  const at = (path: string) => join(root, path)
  const options = { ...defaults([root]), autorun: [".envrc", "hooks", "*.rc"], ...more }
  const guard = createAutorunGuard(createLocalHost({ cwd: root, home: root }), options, async () => null)
  const start = (command: string) => guard.start(command, null)
  return {
    ...guard,
    root,
    at,
    start,
    write: (path: string, text: string) => writeFileSync(at(path), text),
    read: (path: string) => readFileSync(at(path), "utf8"),
    /** Runs a command, and returns its note. */
    async run(command: string, work: () => void): Promise<string | null> {
      const { around } = await start(command)
      return (await around(async () => (work(), fine))).note ?? null
    },
    /** A command that runs until it is ended. */
    async running(command: string) {
      const { around } = await start(command)
      const exit = Promise.withResolvers<ExecResult>()
      const done = around(() => exit.promise)
      return async () => {
        exit.resolve(fine)
        return (await done).note ?? null
      }
    },
  }
}

test("existing auto-run files are read-only, unless the command may have git replace them", async (t) => {
  const here = guarded(t, { ".envrc": "1", "hooks/a": "1", "a.rc": "1", "kept/b.rc": "", other: "" })
  const all = [here.at(".envrc"), here.at("a.rc"), here.at("hooks")]
  assert.deepEqual([...(await here.start("npm test")).readOnlyPaths].toSorted(), all)
  assert.deepEqual((await here.start("git switch main")).readOnlyPaths, [])
  symlinkSync("other", here.at("l.rc"))
  assert.deepEqual((await here.start("git switch main")).readOnlyPaths, [here.at("l.rc")], "a link cannot be restored")
})

test("paths that stay closed anyway, the temp folder and the read-only tier are not searched", async (t) => {
  const files = { ".envrc": "1", "a.rc": "1" }
  const first = guarded(t, files)
  const paths = async (more: Partial<SandboxOptions>) => {
    const here = guarded(t, files, more)
    return (await here.start("npm test")).readOnlyPaths.map((path) => path.slice(here.root.length + 1)).toSorted()
  }
  assert.deepEqual(await paths({ tier: "read-only" }), [])
  assert.deepEqual(await paths({ autorun: [] }), [])
  const kept = createAutorunGuard(
    createLocalHost({ cwd: first.root, home: first.root }),
    { ...defaults([first.root]), autorun: ["*.rc", ".envrc"], kept: [first.at("a.rc")] },
    async () => null,
  )
  assert.deepEqual((await kept.start("npm test", null)).readOnlyPaths, [first.at(".envrc")])
  const temp = createAutorunGuard(
    { ...createLocalHost({ cwd: first.root, home: first.root }), tmp: first.root },
    { ...defaults([first.root]), autorun: ["*.rc"] },
    async () => null,
  )
  assert.deepEqual((await temp.start("npm test", null)).readOnlyPaths, [])
})

test("what a command creates is renamed, what git replaces is restored", async (t) => {
  const here = guarded(t, { ".envrc": "old", "hooks/a": "old" })
  const made = await here.run("npm test", () => here.write("a.rc", "new"))
  assert.match(made ?? "", /a\.rc was renamed to \S+a\.rc\.sandbox,/)
  assert.equal(existsSync(here.at("a.rc")), false)
  const changed = await here.run("git stash", () => {
    here.write(".envrc", "new")
    here.write("hooks/a", "new")
  })
  assert.equal(changed?.match(/was put back/g)?.length, 2)
  assert.deepEqual([here.read(".envrc"), here.read("hooks/a")], ["old", "old"])
  assert.equal(await here.run("npm test", () => undefined), null)
})

test("a path that is read-only for the command is not compared", async (t) => {
  const here = guarded(t, { ".envrc": "old" })
  assert.equal(await here.run("npm test", () => here.write(".envrc", "by the user")), null)
  assert.equal(here.read(".envrc"), "by the user")
})

test("content from before a command may come back later", async (t) => {
  const here = guarded(t, { ".envrc": "first" })
  assert.equal(await here.run("git stash", () => undefined), null)
  here.write(".envrc", "second")
  assert.equal(await here.run("git stash pop", () => here.write(".envrc", "first")), null)
  assert.equal(here.read(".envrc"), "first")
  assert.match((await here.run("git pull", () => here.write(".envrc", "third"))) ?? "", /was put back/)
})

test("content that another running command may have written may not come back", async (t) => {
  for (const [command, theirs] of [
    ["git switch main", true],
    ["npm start", false],
  ] as const) {
    const here = guarded(t, { ".envrc": "first" })
    const end = await here.running(command)
    here.write(".envrc", "second")
    const note = await here.run("git stash", () => here.write(".envrc", "third"))
    assert.match(note ?? "", /was put back/)
    assert.equal(here.read(".envrc"), theirs ? "first" : "second", "the running command is compared as well")
    here.write(".envrc", "first")
    await end()
  }
  const here = guarded(t, {})
  const end = await here.running("npm start")
  here.write("new.rc", "theirs")
  assert.match((await here.run("git stash", () => undefined)) ?? "", /new\.rc was renamed/)
  await end()
})

test("a permitted command and a permitted write may create and change files while another command runs", async (t) => {
  const here = guarded(t, { ".envrc": "old" })
  const end = await here.running("git switch main")
  assert.equal(await here.outside(async () => (here.write("a.rc", "new"), 7)), 7)
  here.writes(here.at(".envrc"), [Buffer.from("n"), Buffer.from("ew")])
  here.write(".envrc", "new")
  here.writes(here.at("b.rc"), Buffer.from("new"))
  here.write("b.rc", "new")
  here.writes(here.at("c.rc"), Buffer.from("permitted"))
  here.write("c.rc", "other")
  assert.match((await end()) ?? "", /^\[sandbox: \S+c\.rc was renamed [^\n]*$/)
  assert.deepEqual([here.read("a.rc"), here.read(".envrc"), here.read("b.rc")], ["new", "new", "new"])
})

test("without a running command nothing is remembered of permitted changes", async (t) => {
  const here = guarded(t, {})
  assert.equal(await here.outside(async () => (here.write("a.rc", "new"), 7)), 7)
  here.writes(here.at("b.rc"), Buffer.from("new"))
  await here.run("npm test", () => undefined)
  here.writes(here.at("b.rc"), Buffer.from("new"))
  mkdirSync(here.at("sub"))
  const note = await here.run("git stash", () => here.write("b.rc", "new"))
  assert.match(note ?? "", /b\.rc was renamed/)
  assert.equal(here.read("a.rc"), "new")
})

test("changes of a failed command are restored, too, and its error is thrown", async (t) => {
  const here = guarded(t, {})
  const { around } = await here.start("npm test")
  const work = async () => {
    here.write("a.rc", "new")
    throw new Error("killed")
  }
  await assert.rejects(around(work), { message: "killed" })
  assert.equal(existsSync(here.at("a.rc")), false)
})
