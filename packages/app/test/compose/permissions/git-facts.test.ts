import assert from "node:assert/strict"
import { test } from "node:test"
import type { Host } from "@gong/spec"
import { createMemoryHost } from "@gong/tools/host/memory"
import { gitFacts } from "../../../src/compose/permissions/policy.ts"
import { queryGit } from "../../../src/compose/permissions/query-git.ts"

/** The facts on a host with these methods. */
function facts(methods: object, path?: string) {
  const host = { ...createMemoryHost({ id: "local", cwd: "/w", files: {} }), ...methods } as Host
  const env = path === undefined ? {} : { PATH: path }
  return gitFacts({ env, home: "/home/u", cwd: "/w", roots: ["/w"], host: async () => host })
}

test("a program of a relative folder of the PATH may be another one in the current folder", async () => {
  const found = (at: string | null, path?: string) =>
    facts({ which: async () => at, realpath: async (given: string) => `real:${given}` }, path).findProgram("git")
  assert.equal(await found("/usr/bin/git", "/usr/bin:/bin"), "real:/usr/bin/git")
  assert.equal(await found(null, "/usr/bin:/bin"), null)
  assert.equal(await found("/usr/bin/git", "/usr/bin:."), "real:/usr/bin/git", "it is before the relative one")
  assert.equal(await found("/usr/bin/git", "/usr/bin:/bin:rel:/x"), "real:/usr/bin/git")
  assert.equal(await found("/usr/bin/git", ".:/usr/bin"), "/w/git")
  assert.equal(await found("/usr/bin/git", "/bin:rel:/usr/bin"), "/w/git")
  assert.equal(await found("/opt/git", "/bin:rel:/usr/bin"), "/w/git", "it is in none of them")
  assert.equal(await found(null, "/bin:"), "/w/git", "an empty one is the current folder")
  assert.equal(await found(null), "/w/git")
})

test("a path is located with its real path, and an error names the given one", async () => {
  const located = async (given: string, realpath: () => Promise<string>) =>
    facts({ realpath, look: undefined }).locate(given)
  assert.deepEqual(await located("a.txt", async () => "/real/a.txt"), { path: "/w/a.txt", real: "/real/a.txt" })
  assert.equal((await located("~/x", async () => "/real/x")).path, "/home/u/x")
  const denied = () => Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }))
  await assert.rejects(located("a.txt", denied), /a\.txt/)
  const bug = () => Promise.reject(new TypeError("a bug"))
  await assert.rejects(located("a.txt", bug), /a bug/)
})

interface Run {
  readonly code?: number | null
  readonly out?: string
  readonly err?: string
  readonly fails?: boolean
  readonly program?: string | null
}

async function asked({ code = 0, out = "", err = "", fails = false, program = "/usr/bin/git" }: Run) {
  const calls: unknown[] = []
  const host = {
    env: { PATH: "/usr/bin" },
    which: async (name: string, options: object) => (calls.push([name, options]), program),
    exec: async (argv: readonly string[], options: Parameters<Host["exec"]>[1]) => {
      const { cwd, env } = options
      calls.push([argv, cwd, env?.["A"], env?.["PATH"]])
      options.onStart?.()
      if (fails) throw new Error("cannot run")
      options.onData?.(Buffer.from(err), "stderr")
      options.onData?.(Buffer.from(out), "stdout")
      options.onData?.(Buffer.from("\n"), "stdout")
      return { code }
    },
  } as unknown as Host
  const answer = await queryGit(host, "/w", ["status"], { A: "1" })
  return { answer, calls }
}

test("git is asked in the folder with these variables; its standard output is the answer", async () => {
  const { answer, calls } = await asked({ code: 1, out: "yes", err: "noise" })
  assert.deepEqual(answer, { code: 1, stdout: "yes\n" })
  assert.deepEqual(calls, [
    ["git", { own: true }],
    [["/usr/bin/git", "status"], "/w", "1", "/usr/bin"],
  ])
})

test("without git, without an exit status and without a start there is no answer", async () => {
  assert.equal((await asked({ program: null })).answer, null)
  assert.equal((await asked({ code: null })).answer, null)
  assert.equal((await asked({ fails: true })).answer, null)
})
