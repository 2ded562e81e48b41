import assert from "node:assert/strict"
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { createSandboxedHost } from "../../../../src/host/sandbox/index.ts"
import { defaults, git, noSandbox, type Ran, sandboxPlace, type SandboxPlace } from "../sandbox-fixture.ts"

// Everyday git commands work inside, one by one, as given by a model.

const skip = noSandbox

function fine(ran: Ran, what: string): void {
  assert.deepEqual([ran.code, ran.note], [0, undefined], `${what}\n${ran.out}`)
}

async function all(here: SandboxPlace, steps: readonly string[]): Promise<void> {
  for (const step of steps) fine(await here.inside(step), step)
}

/** The workspace with two commits on `main`, and `side` with a conflicting change. */
function repository(here: SandboxPlace): void {
  git(here.repo, "init", "--quiet", "--template=")
  const commit = (name: string, text: string) => {
    here.put(`home/repo/${name}`, text)
    git(here.repo, "add", ".")
    git(here.repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", `${name} ${text.trim()}`)
  }
  commit("a", "one\n")
  git(here.repo, "branch", "side")
  commit("a", "two\n")
  git(here.repo, "switch", "--quiet", "side")
  commit("a", "three\n")
  commit("b", "b\n")
  git(here.repo, "switch", "--quiet", "main")
}

test("git inside: commit, amend, branches, tags, notes, packed refs, gc", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  await all(here, [
    "echo x > x && git add x && git commit -qm x && git commit -q --amend -m y",
    "git branch next && git switch -q next && git switch -qc more && git switch -q -",
    "git pack-refs --all && git branch -D more && git tag v1 && git tag -a v2 -m v2 && git tag -d v1",
    "git notes add -m n && git notes show && git symbolic-ref HEAD refs/heads/main && git update-ref refs/heads/z HEAD",
    "git gc -q --prune=now && git reflog expire --expire=now --all && git repack -adq && git fsck && git maintenance run --quiet",
    "git commit-graph write && git rm -q x 2>/dev/null; git restore --staged . && git reset -q --hard && git clean -fdq",
  ])
  assert.equal(git(here.repo, "show", "-s", "--format=%s", "next").trim(), "y")
  assert.equal(git(here.repo, "status", "--porcelain"), "")
})

test("git inside: rebase and cherry-pick with a conflict, resolved in a later command", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  assert.equal((await here.inside("git rebase side")).code, 1)
  await all(here, [
    "git status | grep -q 'rebase in progress'",
    "echo both > a && git add a && EDITOR=true git rebase --continue",
  ])
  assert.match(git(here.repo, "log", "--format=%s"), /^a two\nb b\na three\na one$/m)
  assert.equal((await here.inside("git reset -q --hard ORIG_HEAD && git cherry-pick side~")).code, 1)
  await all(here, [
    "echo both > a && git add a && EDITOR=true git cherry-pick --continue",
    "git rebase -q --apply --force-rebase HEAD~ && git revert --no-edit HEAD",
  ])
})

test("git inside: an interactive rebase with a program as editor", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  await all(here, [
    "git switch -q side && GIT_SEQUENCE_EDITOR=\"sed -i '2s/pick/squash/'\" EDITOR=true git rebase -q -i HEAD~2",
    "EDITOR=true git rebase -q -i --exec 'test -e a' HEAD~",
  ])
  assert.equal(git(here.repo, "rev-list", "--count", "side").trim(), "2")
})

test("git inside: merge with a conflict, stash, bisect, am", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  assert.equal((await here.inside("git merge side")).code, 1)
  await all(here, [
    "echo both > a && git add a && git commit -qm merged",
    "echo s > a && echo u > u && git stash -qu && git stash list | grep -q stash && git stash pop -q && git checkout -q a && rm u",
    "git bisect start HEAD HEAD~2 && git bisect run true && git bisect reset",
    "git format-patch -q -1 -o .. HEAD~ -- a 2>/dev/null; git format-patch -q -o $TMPDIR side~..side && git reset -q --hard side~ && git am -q $TMPDIR/*.patch",
  ])
  assert.equal(git(here.repo, "status", "--porcelain"), "")
})

test("git inside: fetch and pull from a folder; push to one in the temp folder", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  git(here.home, "clone", "--quiet", "--bare", "repo", "origin.git")
  git(here.repo, "remote", "add", "origin", "../origin.git")
  await all(here, [
    "git fetch -q origin && git pull -q origin main && git ls-remote -q origin && git remote -v",
    "git init -q --bare $TMPDIR/b && git push -q $TMPDIR/b main && git clone -q $TMPDIR/b $TMPDIR/c",
  ])
})

test("git inside: a workspace that is a linked worktree, also of a bare repository", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  git(here.home, "clone", "--quiet", "--bare", "repo", "bare.git")
  git(here.repo, "worktree", "add", "--quiet", "../linked", "side")
  git(here.at("home/bare.git"), "worktree", "add", "--quiet", "../of-bare", "side")
  for (const [name, shared] of [
    ["linked", "repo/.git"],
    ["of-bare", "bare.git"],
  ] as const) {
    const cwd = here.at(`home/${name}`)
    const host = createSandboxedHost({ ...here.plain, cwd }, defaults([cwd, here.at(`home/${shared}`), here.temp]))
    const steps = [
      "echo c > c && git add c && git commit -qm c && git switch -qc topic && git stash list",
      "git rebase -q HEAD~ && git tag t && git gc -q && git status --porcelain && git worktree list",
    ]
    for (const command of steps) {
      let out = ""
      const onData = (bytes: Uint8Array) => void (out += Buffer.from(bytes).toString())
      fine({ ...(await host.exec(command, { cwd, signal: AbortSignal.timeout(20_000), onData })), out }, command)
    }
    assert.equal(git(cwd, "log", "-1", "--format=%s", "topic").trim(), "c")
  }
})

test("git inside: a separate git folder beside the working tree", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  mkdirSync(join(here.repo, "store"))
  git(here.repo, "init", "--quiet", "--separate-git-dir=store/g")
  await all(here, ["echo c > c && git add c && git commit -qm c && git pack-refs --all && git branch -D side"])
})

test("git inside: filters from the settings, and submodules read-only", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  git(here.home, "clone", "--quiet", "--bare", "repo", "lib.git")
  git(here.repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../lib.git", "lib")
  git(here.repo, "config", "filter.caps.clean", "tr a-z A-Z")
  git(here.repo, "config", "filter.caps.smudge", "tr A-Z a-z")
  here.put("home/repo/.gitattributes", "*.caps filter=caps\n")
  await all(here, [
    "echo text > t.caps && git add . && git commit -qm caps && git show HEAD:t.caps | grep -q TEXT",
    "git submodule status && git -C lib log --oneline && git -C lib status --porcelain && git status --porcelain && git diff",
  ])
  assert.match(
    (await here.inside("git -C lib commit -q --allow-empty -m x")).note ?? "",
    /blocked write to .*modules\/lib/,
  )
})

test("git inside: adding a worktree fails, since its git folder would be writable", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  const blocked = /blocked write to .*\.git\/worktrees/
  assert.match((await here.inside("git worktree add wt side")).note ?? "", blocked)
  git(here.repo, "worktree", "add", "--quiet", "../linked", "side")
  assert.match((await here.inside("git worktree add wt2 -b new")).note ?? "", blocked)
  assert.match((await here.inside("git -C ../linked commit --allow-empty -m x")).note ?? "", blocked)
})

test("git inside: a first repository in the workspace, and later commands in it", { skip }, async (t) => {
  const here = sandboxPlace(t)
  await all(here, [
    "git init -q -b main && echo a > a && git add . && git commit -qm a",
    "echo b > b && git add . && git commit -qm b && git log --oneline | wc -l | grep -qx 2",
  ])
  assert.deepEqual(readdirSync(here.repo), [".git", "a", "b"])
  assert.equal(existsSync(join(here.repo, ".git/commondir")), false)
  assert.equal(existsSync(join(here.repo, ".git/config.worktree")), false)
})

test(
  "concurrent git outside and inside agree on the repository: its folder, worktrees, branches",
  { skip },
  async (t) => {
    const here = sandboxPlace(t)
    repository(here)
    git(here.repo, "worktree", "add", "--quiet", "../linked", "side")
    const looks = [
      "rev-parse --show-toplevel --git-dir",
      "worktree list",
      "status --porcelain",
      "branch -a -v",
      "log --oneline --all",
      "stash list",
      "config --get core.bare",
      "for-each-ref",
    ]
    const look = () => looks.map((words) => git(here.repo, ...words.split(" ")))
    const before = look()
    const running = here.inside("touch $TMPDIR/ready; until [ -e $TMPDIR/go ]; do sleep 0.01; done")
    while (!existsSync(join(here.temp, "ready"))) await new Promise((resolve) => setTimeout(resolve, 2))
    assert.equal(here.text("home/repo/.git/commondir"), ".\n")
    assert.deepEqual(look(), before)
    git(here.repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--allow-empty", "-m", "meanwhile")
    here.put("temp/go", "")
    await running
    assert.equal(git(here.repo, "log", "-1", "--format=%s").trim(), "meanwhile")
  },
)

test("git inside: a regular hooks folder runs its hooks", { skip }, async (t) => {
  const here = sandboxPlace(t)
  repository(here)
  const hook = here.put("home/repo/.git/hooks/pre-commit", "#!/bin/sh\ntouch hooked\n")
  chmodSync(hook, 0o755)
  await all(here, ["git commit -q --allow-empty -m x && test -e hooked"])
  rmSync(join(here.repo, "hooked"))
})
