import assert from "node:assert/strict"
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { test, type TestContext } from "node:test"
import { createLay, type Laid } from "../../src/host/sandbox/lay.ts"
import type { SandboxOptions } from "../../src/host/sandbox/index.ts"
import { type Spare, startSpare } from "../../src/host/sandbox/spare.ts"
import { defaults, git, noSandbox, type Ran, sandboxPlace, type SandboxPlace } from "./sandbox-place.ts"
import { spyOnSpares } from "./spare-place.ts"

const skip = noSandbox
let jobs = 0

/** A sandbox that waits, and a look at what one made now would be. */
interface Scene extends SandboxPlace {
  readonly options: SandboxOptions
  readonly lay: () => Promise<Laid>
  readonly spare: Spare
}

/** A repository without hooks and with settings, a sandbox for commands in it, and time to change something. */
async function scene(t: TestContext, more: Partial<SandboxOptions> = {}, prepare?: (at: SandboxPlace) => void) {
  const here = sandboxPlace(t)
  git(here.repo, "init", "--quiet", "--template=")
  for (const folder of ["home/.cache", "home/kept"]) mkdirSync(here.at(folder))
  here.put("home/kept/auth.json", "key")
  prepare?.(here)
  const kept = { kept: [here.at("home/kept")], hidden: [here.at("home/kept/auth.json")] }
  const options = { ...defaults([here.repo, here.temp], here.at("blank")), ...kept, ...more }
  const { host, waits } = spyOnSpares(here.plain)
  const lay = createLay(host, options)
  const laid = await lay()
  const spare = startSpare(host, "/bin/bash", laid, { cwd: here.repo })
  t.after(() => {
    spare.end()
    return spare.ended
  })
  await waits()
  return { ...here, options, lay, spare } satisfies Scene
}

async function fits({ spare, lay, repo }: Scene, cwd = repo): Promise<boolean> {
  const laid = await lay()
  const answer = await spare.fits(laid, { cwd })
  await laid.letGo()
  return answer
}

/** In the one that waits, whether it fits or not. */
async function runIn({ spare, repo }: Scene, command: string): Promise<Ran | null> {
  let out = ""
  const ended = await spare.run(["/bin/bash", "-c", command], {
    cwd: repo,
    job: String(++jobs),
    signal: new AbortController().signal,
    onData: (bytes) => void (out += Buffer.from(bytes).toString()),
  })
  return ended && { ...ended, out }
}

test("one that waits fits as long as nothing has changed, and runs what it is given", { skip }, async (t) => {
  const it = await scene(t)
  it.put("home/repo/src/a", "a new file is no change of the sandbox")
  assert.equal(await fits(it), true)
  assert.deepEqual(await runIn(it, "cat src/a; exit 3"), {
    code: 3,
    signal: null,
    out: "a new file is no change of the sandbox",
  })
})

/** What happens between begin and use; `would`: what a command could do in the one that waited, and could not in one made now. */
interface Change {
  readonly what: string
  readonly more?: Partial<SandboxOptions>
  readonly before?: (at: SandboxPlace) => void
  readonly change: (at: SandboxPlace) => void
  /** A command, and the path, below the test's folder, that it writes. */
  readonly would?: readonly [command: string, path: string]
}

const changes: readonly Change[] = [
  {
    what: "the folder of hooks that is held goes, and comes again under its number",
    change: ({ at }) => again(at("home/repo/.git/hooks")),
    would: ["echo x > .git/hooks/pre-commit", "home/repo/.git/hooks/pre-commit"],
  },
  {
    what: "the folder of Gong's own that is held goes, and comes again",
    change: ({ at }) => again(at("home/repo/.gong")),
    would: ["echo x > .gong/settings.json", "home/repo/.gong/settings.json"],
  },
  {
    what: "a folder of Gong's own is brought by somebody else",
    change: ({ at }) => writeFileSync(at("home/repo/.gong/settings.json"), "{}"),
  },
  {
    what: "git's settings are replaced",
    change: ({ at }) => replace(at("home/repo/.git/config"), "[core]\n"),
    would: ["echo x >> .git/config", "home/repo/.git/config"],
  },
  {
    what: "git has settings of the worktree now",
    change: ({ put }) => put("home/repo/.git/config.worktree", "[core]\n"),
    would: ["echo x >> .git/config.worktree", "home/repo/.git/config.worktree"],
  },
  {
    what: "the repository is one now",
    before: ({ at }) => rmSync(at("home/repo/.git"), { recursive: true }),
    change: ({ repo }) => void git(repo, "init", "--quiet"),
    would: ["echo x >> .git/config", "home/repo/.git/config"],
  },
  {
    what: "the git folder is another one",
    change({ repo, at }) {
      renameSync(at("home/repo/.git"), at("home/old.git"))
      git(repo, "init", "--quiet")
    },
  },
  {
    what: "the git folder is a file now",
    change({ at, put }) {
      renameSync(at("home/repo/.git"), at("home/old.git"))
      put("home/repo/.git", `gitdir: ${at("home/old.git")}\n`)
    },
  },
  {
    what: "the keys are replaced",
    change: ({ at }) => replace(at("home/kept/auth.json"), "another key"),
    would: ["cat ~/kept/auth.json > seen; grep -q key seen", "home/repo/seen"],
  },
  {
    what: "the workspace is another folder",
    change({ repo, at }) {
      renameSync(repo, at("home/moved"))
      mkdirSync(repo)
    },
  },
  {
    what: "the folder above the workspace is another one",
    change({ home, at }) {
      renameSync(home, at("moved"))
      for (const folder of ["home", "home/repo", "home/kept"]) mkdirSync(at(folder))
    },
  },
  {
    what: "the workspace is a link to another folder",
    change({ repo, at }) {
      renameSync(repo, at("home/moved"))
      symlinkSync(at("home/moved"), repo)
    },
    would: ["echo x > x", "home/moved/x"],
  },
  { what: "a root is gone", change: ({ temp }) => rmdirSync(temp) },
  { what: "a cache is there now", change: ({ at }) => mkdirSync(at("home/Library/Caches"), { recursive: true }) },
  {
    what: "a cache has a folder of programs now",
    change: ({ at }) => mkdirSync(at("home/.cache/bin")),
    would: ["echo x > ~/.cache/bin/x", "home/.cache/bin/x"],
  },
  {
    what: "read-only: the home is another folder",
    more: { tier: "read-only" },
    change({ home, at }) {
      renameSync(home, at("moved"))
      for (const folder of ["home", "home/repo"]) mkdirSync(at(folder))
    },
  },
]

/** Its number may be the same one: nothing else is made meanwhile. */
function again(folder: string): void {
  rmdirSync(folder)
  mkdirSync(folder)
}

function replace(path: string, content: string): void {
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

for (const { what, more, before, change, would } of changes)
  test(`one that waits is not used when meanwhile ${what}`, { skip }, async (t) => {
    const it = await scene(t, more, before)
    assert.equal(await fits(it), true, "until then it was the one")
    change(it)
    assert.equal(await fits(it), false)
    if (would === undefined) return
    const [command, path] = would
    await runIn(it, command)
    assert.ok(existsSync(it.at(path)), "in the one that waited it would have been written")
  })

test("its shell looks again whether it is in the folder that is meant", { skip }, async (t) => {
  const it = await scene(t)
  renameSync(it.repo, it.at("home/moved"))
  mkdirSync(it.repo)
  assert.equal(await runIn(it, "echo x > x"), null, "not run")
  assert.equal(existsSync(it.at("home/moved/x")), false)
})
