import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { holdsRepositories } from "../../src/policy/git-index.ts"

function repository(t: TestContext, ...init: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "gong-index-"))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" }
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, env, stdio: "pipe" })
  git("init", "--quiet", ...init)
  return {
    git,
    add(count: number) {
      // Names of every length, so that every padding of an entry occurs.
      for (let at = 0; at < count; at++) writeFileSync(join(folder, `${"n".repeat(at % 40)}${at}`), `${at}`)
      // Of a size whose bytes are those of the mode of a repository.
      writeFileSync(join(folder, "size"), Buffer.alloc(0o160000))
      git("add", ".")
    },
    mean(name: string) {
      writeFileSync(join(folder, name), "x")
      git("add", "--intent-to-add", name)
    },
    link(hash: string) {
      mkdirSync(join(folder, "deep"), { recursive: true })
      git("update-index", "--add", "--cacheinfo", `160000,${hash},deep/sub`)
    },
    index: () => readFileSync(join(folder, ".git/index")),
  }
}

const sha1 = "1".repeat(40)

for (const version of ["2", "3", "4"]) {
  test(`an index of version ${version}: another repository in it is found, and nothing else is taken for one`, (t) => {
    const { git, add, link, mean, index } = repository(t)
    add(100)
    git("update-index", "--index-version", version === "3" ? "2" : version)
    // Git itself writes version 3 where an entry has more flags.
    if (version === "3") mean("later")
    assert.equal(index()[7], Number(version))
    assert.equal(holdsRepositories(index(), 20), false)
    link(sha1)
    assert.equal(holdsRepositories(index(), 20), true)
    git("rm", "--quiet", "--cached", "deep/sub")
    assert.equal(holdsRepositories(index(), 20), false)
  })
}

test("an index of sha256, one that is split, and what is no whole index", (t) => {
  const wide = repository(t, "--object-format=sha256")
  wide.add(20)
  assert.equal(holdsRepositories(wide.index(), 32), false)
  wide.link("1".repeat(64))
  assert.equal(holdsRepositories(wide.index(), 32), true)
  const { git, add, index } = repository(t)
  add(20)
  const whole = index()
  for (const cut of [0, 4, 11, 12, 60, 200]) assert.equal(holdsRepositories(whole.subarray(0, cut), 20), true, `${cut}`)
  assert.equal(holdsRepositories(Buffer.from("garbage, and some more of it"), 20), true)
  git("update-index", "--split-index")
  assert.equal(holdsRepositories(index(), 20), true, "most of it stands in another file")
})
