import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { folder } from "@gong/testing/folder"
import { fetchesFromOutside, pushesOutside } from "../../../../src/host/sandbox/review/remotes.ts"

/** A repository, a folder in it, which commands can write to, and one outside. */
function place(t: TestContext) {
  const base = folder(t)
  const [cwd, own, far] = [join(base, "repo"), join(base, "repo/own"), join(base, "far")]
  for (const path of [own, far]) mkdirSync(path, { recursive: true })
  const env = { PATH: process.env["PATH"], HOME: base, GIT_CONFIG_NOSYSTEM: "1" }
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd, env, stdio: "pipe" }).toString()
  const ask = async (_: string, args: readonly string[]): Promise<string | null> => {
    try {
      return git(...args)
    } catch {
      return null
    }
  }
  git("init", "--quiet", "--template=", "--initial-branch=main")
  const deps = { ask, cwd, options: { roots: [cwd] } }
  const words = (command: string) => command.split(" ")
  return {
    git,
    own,
    far,
    pushes: (command: string) => pushesOutside(words(command), deps),
    fetches: (command: string) => fetchesFromOutside(words(command), deps),
  }
}

test("a push or fetch runs outside the sandbox only if its remote is in the settings and out of reach of commands", async (t) => {
  const { git, own, far, pushes, fetches } = place(t)
  for (const [name, url] of [
    ["origin", "https://example.com/a.git"],
    ["ssh", "git@example.com:a.git"],
    ["far", far],
    ["farurl", `file://${far}`],
    ["own", own],
    ["near", "./own"],
    ["gone", join(far, "gone")],
    ["odd", "ext::sh -c x"],
  ] as const)
    git("remote", "add", name, url)
  for (const [remote, expected] of [
    ["origin", true],
    ["ssh", true],
    ["far", true],
    ["farurl", true],
    ["own", false],
    ["near", false],
    ["gone", false],
    ["odd", false],
    ["unknown", false],
    [far, false],
    ["https://example.com/a.git", false],
  ] as const) {
    assert.equal(await pushes(`git push -q ${remote} main`), expected, `push ${remote}`)
    assert.equal(await fetches(`git fetch -q ${remote}`), expected, `fetch ${remote}`)
  }
  assert.equal(await pushes("git status"), true)
})

test("every URL of a remote counts, and for a push those to push to", async (t) => {
  const { git, own, far, pushes, fetches } = place(t)
  git("remote", "add", "two", "https://example.com/a.git")
  git("remote", "set-url", "--add", "two", own)
  assert.deepEqual([await pushes("git push two"), await fetches("git fetch two")], [false, false])
  git("remote", "add", "apart", "https://example.com/a.git")
  git("remote", "set-url", "--push", "apart", own)
  assert.deepEqual([await pushes("git push apart"), await fetches("git fetch apart")], [false, true])
  git("config", "remote.only.pushurl", far)
  assert.equal(await pushes("git push only"), true)
})

test("without a name the remote is the one that git takes", async (t) => {
  const { git, own, far, pushes, fetches } = place(t)
  assert.deepEqual([await pushes("git push"), await fetches("git pull")], [false, false])
  git("remote", "add", "origin", "https://example.com/a.git")
  assert.deepEqual([await pushes("git push"), await fetches("git pull")], [true, true])
  git("remote", "add", "own", own)
  git("remote", "add", "far", far)
  git("config", "branch.main.remote", "own")
  assert.deepEqual([await pushes("git push"), await fetches("git pull")], [false, false])
  git("config", "remote.pushDefault", "far")
  assert.deepEqual([await pushes("git push"), await fetches("git pull")], [true, false])
  git("config", "branch.main.pushRemote", "own")
  assert.equal(await pushes("git push"), false)
})
