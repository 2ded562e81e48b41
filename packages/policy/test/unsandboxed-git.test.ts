import assert from "node:assert/strict"
import { test } from "node:test"
import { unsandboxedGit } from "../src/git/unsandboxed-git.ts"
import { bash, facts, rules, verdict } from "./fixtures.ts"

test("git commands that write git's settings run outside the sandbox, in plain forms and without a shell", () => {
  for (const plain of [
    "git push",
    "git push -u origin fix-login",
    "git push --force-with-lease origin HEAD:main",
    "git remote add up https://example.com/a.git",
    "git remote set-url origin git@example.com:a.git",
    "git branch -u origin/main",
    "git branch -D old older",
    "git switch --track origin/x",
    "git checkout -t origin/x",
    "git worktree add ../two side",
    "git submodule init",
    "git submodule add https://example.com/a.git sub",
    "git worktree add ../two",
    "git branch -u origin/main side",
    "git branch --set-upstream-to origin/main",
    "git branch --delete old",
  ]) {
    assert.deepEqual(unsandboxedGit(plain), plain.split(" "))
  }
  assert.deepEqual(unsandboxedGit("git push origin 'a b'"), ["git", "push", "origin", "a b"])
})

test("any other form, or one that runs another program, stays in the sandbox", () => {
  for (const other of [
    "git push && touch x",
    "git push | cat",
    "git push > log",
    "git push $(name)",
    "git push $REMOTE",
    "git -c core.sshCommand=x push",
    "GIT_SSH_COMMAND=x git push",
    "git push --receive-pack=x origin",
    "git push ./evil.git",
    "git push ../evil.git main",
    "git push ext::sh origin",
    "git push user@host:x",
    "git submodule foreach x",
    "git submodule update --init",
    "git worktree add -b x y",
    "git remote add -f a b",
    "git remote -v",
    "git branch new",
    "git switch main",
    "git checkout -b x",
    "git commit -m x",
    "git push --exec-f origin",
    "git push -fx origin",
    "git push ./a",
    "git remote add-x a b",
    "git remote x-add a b",
    "git remote add a",
    "git remote add a b c",
    "git worktree add",
    "git worktree add a b c",
    "git worktree move a b",
    "git switch --track",
    "git switch --track a b",
    "git switch --track -x",
    "git switch --tracks a",
    "git switch x-t a",
    "git branch -u",
    "git branch -u a b c",
    "git branch -u -x",
    "git branch x-u a",
    "git branch -ux a",
    "git branch -dr a",
    "git branch x-d a",
    "git branch -d",
    "git branch -d -r a",
    "git submodule adding x",
    "git submodule x-add y",
    "git submodule add -b x y",
    "/tmp/git push",
    "env git push",
    "cd a; git push",
    "git",
    "",
  ]) {
    assert.equal(unsandboxedGit(other), null, other)
  }
})

test("a word with a shell expansion stays in the sandbox: a variable, a command, a pattern, a home folder, in any position", () => {
  for (const word of [
    "$NAME",
    '"$NAME"',
    "${NAME:-x}",
    "$(name)",
    "`name`",
    "or*",
    "or?",
    "[o]rigin",
    "~",
    "~/x",
    "x=~/y",
    "x:~",
    "x$NAME",
  ])
    for (const command of [`git branch -d ${word}`, `git submodule add ${word}`, `git worktree add ${word}`])
      assert.equal(unsandboxedGit(command), null, command)
  for (const quoted of ["'$NAME'", "'or*'", "'~'", "or\\*"])
    assert.notEqual(unsandboxedGit(`git branch -d ${quoted}`), null, quoted)
})

test("they need approval at auto and ask, like every command outside the sandbox; a rule allows them; plan refuses them", async () => {
  const given = facts({ sandbox: "workspace" })
  assert.equal(await verdict(bash("git branch -d old"), given), "deny")
  assert.equal(await verdict(bash("git branch -d old"), { ...given, interactive: true }), "ask")
  assert.equal(await verdict(bash("git push -u origin x"), { ...given, allow: rules("bash(git push *)") }), "allow")
  assert.equal(await verdict(bash("git branch -d old"), facts({ sandbox: "read-only", level: "plan" })), "deny")
  assert.equal(await verdict(bash("git branch -d old"), facts({ sandbox: "off", level: "full" })), "allow")
})
