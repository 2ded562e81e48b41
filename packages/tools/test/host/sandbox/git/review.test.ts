import assert from "node:assert/strict"
import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { unsafeSetting } from "../../../../src/host/sandbox/review/settings.ts"
import { git, noSandbox, sandboxPlace, type SandboxPlace } from "../sandbox-fixture.ts"

// Files left by a command that would make git run programs are moved away, the model gets a note, and files of the user
// stay.

const skip = noSandbox

function repository(here: SandboxPlace): void {
  git(here.repo, "init", "--quiet", "--template=")
  const commit = (name: string, text: string) => {
    here.put(`home/repo/${name}`, text)
    git(here.repo, "add", ".")
    git(here.repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", text.trim())
  }
  commit("a", "one\n")
  git(here.repo, "branch", "side")
  commit("a", "two\n")
  git(here.repo, "switch", "--quiet", "side")
  commit("a", "three\n")
  git(here.repo, "switch", "--quiet", "main")
}

const todo = ".git/rebase-merge/git-rebase-todo"

test(
  "[SAFE-12] lines of an unfinished rebase that run programs are removed; others and the user's own stay",
  { skip },
  async (t) => {
    const here = sandboxPlace(t)
    repository(here)
    await here.outside("git rebase --exec 'echo user' side")
    assert.match(here.text(`home/repo/${todo}`), /^exec echo user$/m)
    const list = here.text(`home/repo/${todo}`)
    assert.equal((await here.inside("true")).note, undefined)
    const { note } = await here.inside(`printf '\\nx echo model\\n\\texec echo model\\nlabel é\\n' >> ${todo}`)
    assert.equal(
      note,
      `[sandbox: lines that would run a program outside the sandbox were taken out of ${here.repo}/${todo} (x echo model); run it in a command of its own]`,
    )
    assert.equal(here.text(`home/repo/${todo}`), `${list}\nlabel é\n`)
    here.put("home/repo/a", "both\n")
    const ended = await here.outside("git add a && GIT_EDITOR=true git rebase --continue")
    assert.match(ended.out, /^user$/m, "the user's own line runs")
  },
)

test("a link created in the git folder is removed, and one of the user stays", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  symlinkSync("/nowhere", join(here.repo, ".git/rr-cache"))
  const { note, code } = await here.inside("ln -s ../../../.bashrc .git/logs/refs/x")
  const removed = "was removed again: git would write through it, outside the sandbox too]"
  assert.deepEqual(
    [code, note],
    [0, `[sandbox: the symbolic link ${here.repo}/.git/logs/refs/x -> ../../../.bashrc ${removed}`],
  )
  assert.equal(readlinkSync(join(here.repo, ".git/rr-cache")), "/nowhere")
  // In an unchanged folder, and in a changed one.
  assert.match(
    (await here.inside("ln -s / .git/refs/heads/y; rm .git/rr-cache; ln -s / .git/rr-cache")).note ?? "",
    /rr-cache -> [^]*y -> /,
  )
  assert.equal((await here.inside("git pack-refs --all && git switch -qc new && git gc -q")).note, undefined)
})

test("a new repository stays if it is harmless, and is renamed otherwise", { skip }, async (t) => {
  const here = sandboxPlace(t)
  const origin = join(here.temp, "origin")
  mkdirSync(origin)
  git(origin, "init", "--quiet", "--bare")
  const quiet = "git init -q . && git remote add origin https://example.com/a.git && git commit -q --allow-empty -m x"
  const first = await here.inside(quiet)
  assert.deepEqual([first.code, first.note], [0, undefined])
  const other = sandboxPlace(t)
  const { note } = await other.inside("git clone -q $TMPDIR . ; git init -q . && git config core.editor touch")
  assert.equal(
    note,
    `[sandbox: ${other.repo}/.git was renamed to ${other.repo}/.git.sandbox, since git outside the sandbox would run what it says (core.editor); to ask for it run mv with unsandboxed: true]`,
  )
  assert.equal(existsSync(join(other.repo, ".git.sandbox/config")), true)
  assert.match((await other.inside("git init -q . && ln -s / .git/x")).note ?? "", /\.git\.sandbox2, .*symbolic links/)
})

test("nested repositories and fetched submodules stay if they are harmless", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  const steps = [
    "git init -q inside && git -C inside commit -q --allow-empty -m x && git -C inside remote add o ssh://git@example.com/a && git add inside && git commit -qm inside",
    "git -C inside commit -q --allow-empty -m y && git commit -qam next",
  ]
  for (const step of steps) {
    const { code, note, out } = await here.inside(step)
    assert.deepEqual([code, note], [0, undefined], out)
  }
  const { note } = await here.inside("git -C inside config core.pager touch")
  assert.match(note ?? "", /inside\/\.git was renamed to .*inside\/\.git\.sandbox, .*\(core\.pager\)/)
})

test("a link to settings or hooks is restored", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  mkdirSync(join(here.repo, "h"))
  symlinkSync("h", join(here.repo, "l"))
  git(here.repo, "config", "core.hooksPath", "l")
  const { note } = await here.inside("rm l; mkdir l; echo x > l/post-commit")
  assert.match(note ?? "", /\/l was renamed to .*\/l\.sandbox/)
  assert.deepEqual([readlinkSync(join(here.repo, "l")), here.text("home/repo/l.sandbox/post-commit")], ["h", "x\n"])
  assert.match((await here.inside("echo x > h/post-commit")).note ?? "", /blocked write to .*\/h\/post-commit/)
})

test("changes of a killed command are reviewed before the session ends", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  const stop = new AbortController()
  const command = "ln -s / .git/refs/x; touch $TMPDIR/ready; sleep 1000"
  const ended = here.host.exec(command, { cwd: here.repo, signal: stop.signal, job: "j", onData: () => undefined })
  while (!existsSync(join(here.temp, "ready"))) await new Promise((resolve) => setTimeout(resolve, 2))
  assert.equal(lstatSync(join(here.repo, ".git/refs/x")).isSymbolicLink(), true)
  await here.host.endJobs()
  assert.equal(existsSync(join(here.repo, ".git/refs/x")), false)
  assert.match((await ended).note ?? "", /refs\/x -> \//)
})

test("a todo list that is too long to read counts as unsafe", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  mkdirSync(join(here.repo, ".git/rebase-merge"))
  const command = `yes '# nothing' | head -c 5000000 > ${todo}; echo 'exec touch x' >> ${todo}`
  assert.match((await here.inside(command)).note ?? "", /git-rebase-todo/)
  assert.equal(existsSync(join(here.repo, todo)), false)
  writeFileSync(join(here.repo, ".git/rebase-merge/strategy"), "ort\n")
  assert.equal((await here.inside("true")).note, undefined)
})

test("unsafe settings are distinguished from those that git writes itself", () => {
  const acts = (...settings: string[]) => unsafeSetting(settings)
  const origin = "remote.origin.url\nhttps://example.com/a.git"
  const plain = [
    "core.bare\nfalse",
    "user.name\nx\ny",
    "branch.main.remote\norigin",
    "branch.a.b.merge\nrefs/heads/x",
    origin,
  ]
  assert.equal(
    acts(...plain, "submodule.x.url\ngit@example.com:a/b", "remote.h.url\nhost:a/b", "branch.x.remote\n."),
    null,
  )
  for (const setting of [
    "core.fsmonitor\nx",
    "core.hookspath\nx",
    "core.worktree\n/",
    "include.path\nx",
    "includeif.x.path\nx",
    "alias.name\n!x",
    "filter.a.clean\nx",
    "url.x.insteadof\nhttps://example.com/",
    "remote.origin.url\n./x",
    "remote.origin.url\n/x",
    "remote.origin.url\next::x",
    "remote.origin.url\nfile:///x",
    "remote.origin.url\nssh://-oProxyCommand=x/y",
    "remote.origin.pushurl\nhttps://example.com/",
    "remote.origin.receivepack\nx",
    "remote.origin.promisor\ntrue",
    "branch.main.remote\n./x",
    "branch.main.remote\nother",
    "submodule.x.update\n!x",
    "gpg.program\nx",
    "credential.helper\nx",
    "core.sshcommand\nx",
  ])
    assert.equal(acts(origin, setting), setting.split("\n")[0], setting)
})

test("a push runs outside only to a configured remote that no command could have written", { skip }, async (t) => {
  const outside = (command: string) => (command.startsWith("git push") ? command.split(" ") : null)
  const here = sandboxPlace(t, { outside })
  repository(here)
  git(here.home, "init", "--quiet", "--bare", "far.git")
  git(here.home, "init", "--quiet", "--bare", "repo/near.git")
  const hook = '#!/bin/sh\ntouch "$HOME/ran"\n'
  for (const name of ["far.git", "repo/near.git", "repo/other"])
    writeFileSync(join(mkdir(here, `home/${name}/hooks`), "pre-receive"), hook, { mode: 0o755 })
  git(here.home, "init", "--quiet", "--bare", "repo/other")
  git(here.repo, "remote", "add", "far", "../far.git")
  git(here.repo, "remote", "add", "near", "./near.git")
  git(here.repo, "remote", "add", "instead", "https://example.com/near.git")
  git(here.repo, "config", `url.${here.repo}/.insteadOf`, "https://example.com/")
  const ranOutside = async (command: string) => {
    const { out } = await here.inside(command)
    const ran = existsSync(join(here.home, "ran"))
    if (ran) rmSync(join(here.home, "ran"))
    return ran ? "outside" : out
  }
  assert.equal(await ranOutside("git push far main"), "outside")
  git(here.repo, "config", "branch.side.pushRemote", "far")
  git(here.repo, "switch", "--quiet", "side")
  assert.equal(await ranOutside("git push -f"), "outside", "the default of the branch")
  for (const command of ["git push near main", "git push other main", "git push instead main"])
    assert.match(await ranOutside(command), /pre-receive hook declined|Read-only file system/, command)
  git(here.repo, "switch", "--quiet", "main")
  assert.notEqual(await ranOutside("git push"), "outside", "there is no default")
})

function mkdir(here: SandboxPlace, path: string): string {
  mkdirSync(here.at(path), { recursive: true })
  return here.at(path)
}
