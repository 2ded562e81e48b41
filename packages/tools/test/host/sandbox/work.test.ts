import assert from "node:assert/strict"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { createSandboxedHost } from "../../../src/host/sandbox/index.ts"
import { defaults, git, noSandbox, type Ran, sandboxPlace, type SandboxPlace } from "./sandbox-fixture.ts"

// Everyday commands work inside.

const skip = noSandbox

function fine(ran: Ran): void {
  assert.deepEqual([ran.code, ran.note], [0, undefined], ran.out)
}

test("git: add, commit, stash, branches, merge, rebase, tag, gc", { skip }, async (t) => {
  const here = sandboxPlace(t)
  git(here.repo, "init", "--quiet", "--initial-branch=main")
  const steps = [
    "echo one > a && git add a && git commit -qm one",
    "echo two > a && git stash -q && git stash pop -q && git commit -qam two",
    "git checkout -q -b side HEAD~ && echo b > b && git add b && git commit -qm b",
    "git switch -q main && git merge -q --no-edit side && git log --oneline | wc -l | grep -qx 4",
    "git rebase -q HEAD~ && git tag v1 && git restore a && echo n > n && git stash -qu && git stash pop -q && git clean -fdq && git gc -q && git status --short",
  ]
  for (const step of steps) fine(await here.inside(step))
  assert.match(git(here.repo, "log", "--format=%s"), /two/)
})

test("git: a linked worktree, in which only the shared settings are protected", { skip }, async (t) => {
  const here = sandboxPlace(t)
  git(here.repo, "init", "--quiet", "--initial-branch=main")
  git(here.repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--allow-empty", "-m", "first")
  git(here.repo, "worktree", "add", "--quiet", "../linked")
  const linked = here.at("home/linked")
  const common = join(here.repo, ".git")
  const confined = createSandboxedHost({ ...here.plain, cwd: linked }, defaults([linked, common, here.temp]))
  const inside = async (command: string): Promise<Ran> => {
    let out = ""
    const onData = (bytes: Uint8Array) => void (out += Buffer.from(bytes).toString())
    return { ...(await confined.exec(command, { cwd: linked, signal: new AbortController().signal, onData })), out }
  }
  fine(await inside("echo a > a && git add a && git commit -qm second && git checkout -q -b more && git stash list"))
  assert.match(git(here.repo, "log", "--format=%s", "linked"), /^second$/m)
  const blocked = [
    "echo x > ../repo/.git/hooks/post-commit",
    "git config a.b c",
    "echo x > .git",
    "echo x > $(git rev-parse --git-dir)/commondir",
    "echo x > ../repo/a",
  ]
  for (const command of blocked)
    assert.match((await inside(command)).note ?? "", /^\[sandbox: blocked write to/, command)
})

test("git: a new repository in the project, and one without an earlier repository", { skip }, async (t) => {
  const here = sandboxPlace(t)
  fine(await here.inside("git init -q . && echo a > a && git add a && git commit -qm a"))
  fine(
    await here.inside("mkdir sub && cd sub && git init -q . && git config a.b c && git commit -q --allow-empty -m s"),
  )
  assert.match((await here.inside("git config a.b c")).note ?? "", /repo\/\.git\/config/, "from now on it is kept")
})

test("git: a command that writes its settings is run outside, without a shell, if configured", { skip }, async (t) => {
  const outside = (command: string) => (command.startsWith("git remote add") ? command.split(" ") : null)
  const here = sandboxPlace(t, { outside })
  git(here.repo, "init", "--quiet")
  fine(await here.inside("git remote add origin $HOME/x"))
  assert.match(here.text("home/repo/.git/config"), /url = \$HOME\/x/)
})

function sampleProject(here: SandboxPlace): void {
  here.put("home/dep/package.json", JSON.stringify({ name: "dep", version: "1.0.0", main: "index.js" }))
  here.put("home/dep/index.js", "module.exports = 42\n")
  here.put(
    "home/repo/package.json",
    JSON.stringify({
      name: "sample",
      version: "1.0.0",
      scripts: { test: "node --test", prepare: "echo prepared > done" },
      dependencies: { dep: "file:./dep-1.0.0.tgz" },
    }),
  )
  here.put("home/repo/a.test.js", 'require("node:test")("a", () => require("assert").equal(require("dep"), 42))\n')
}

test(
  "npm: install from a packed dependency, and npm test, in a home without npm files",
  { skip: skip || noNpm() },
  async (t) => {
    const here = sandboxPlace(t)
    sampleProject(here)
    fine(
      await here.inside("npm pack --silent --pack-destination . ../dep && npm install --offline --no-audit --no-fund"),
    )
    assert.equal(existsSync(join(here.repo, "node_modules/dep/index.js")), true)
    assert.equal(here.text("home/repo/done"), "prepared\n")
    assert.ok(existsSync(here.at("caches/home/.npm/_cacache")), "what it fetched is there for the next command")
    assert.deepEqual(readdirSync(here.at("home/.npm")), [], "and is not in the user's own cache")
    const tested = await here.inside("npm test")
    fine(tested)
    assert.match(tested.out, /pass 1/)
  },
)

test(
  "a missing package cache is created if its program is installed, and not in the read-only tier",
  { skip },
  async (t) => {
    const here = sandboxPlace(t)
    const which: typeof here.plain.which = async (name) =>
      ["cargo", "bash"].includes(name) ? here.plain.which("bash") : null
    const inside = async (tier: "workspace" | "read-only") => {
      const options = { ...defaults([here.repo, here.temp]), tier }
      const exec = { cwd: here.repo, signal: new AbortController().signal, onData: () => undefined }
      return createSandboxedHost({ ...here.plain, which }, options).exec("echo x > ~/.cargo/registry/x", exec)
    }
    assert.notEqual((await inside("read-only")).code, 0)
    assert.deepEqual(readdirSync(here.home), ["repo"])
    assert.equal((await inside("workspace")).code, 0)
    assert.deepEqual(readdirSync(here.at("home/.cargo/registry")), [], "only to be laid over")
    assert.deepEqual(
      readdirSync(here.home).toSorted(),
      [".cache", ".cargo", "repo"],
      "none of programs that are not here",
    )
  },
)

test("a home that is missing or not writable does not fail commands", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const options = defaults([here.repo, here.temp])
  here.put("home/.cache", "a file")
  const refuses = { ...here.plain, mkdir: () => Promise.reject(new Error("EROFS")) }
  const nowhere = { ...here.plain, home: here.at("nowhere") }
  for (const host of [refuses, nowhere]) {
    const exec = { cwd: here.repo, signal: new AbortController().signal, onData: () => undefined }
    assert.equal((await createSandboxedHost(host, options).exec("echo x > x", exec)).code, 0)
  }
  assert.equal(existsSync(here.at("nowhere")), false)
})

function noNpm(): string | false {
  const folders = (process.env["PATH"] ?? "").split(":")
  return folders.some((folder) => existsSync(join(folder, "npm"))) ? false : "npm is not in the PATH"
}
