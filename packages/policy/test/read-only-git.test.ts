import assert from "node:assert/strict"
import { test } from "node:test"
import { isReadOnlyGit } from "../src/git/read-only-git.ts"

test("git reads only with these verbs, these options and no more words than they take", () => {
  for (const command of [
    "status",
    "--no-pager log",
    "-P log",
    "--no-pager -P diff",
    "log --",
    "log -p -- x",
    "log x-O",
    "branch",
    "branch -a",
    "worktree list",
    "stash list",
    "stash show -p",
    "remote -v",
    "--version",
    "cat-file -p HEAD",
    "blame -L1,2 f",
    "ls-files -- a",
    "rev-parse --short=7 HEAD",
  ])
    assert.equal(isReadOnlyGit(command.split(" ")), true, command)
  for (const command of [
    "",
    "--no-pager",
    "x status",
    "toString",
    "branch --",
    "branch new",
    "branch -a x",
    "branch -D",
    "worktree",
    "worktree add x",
    "worktree list x",
    "worktree listing",
    "worktree x-list",
    "stash shown",
    "stash x-list",
    "cat-file x-p HEAD",
    "cat-file -px HEAD",
    "remote -v x",
    "tag -l x",
    "--version x",
    "--version -x",
    "stash",
    "stash pop",
    "remote add",
    "remote x -v",
    "cat-file blob x",
    "tag v1",
    "log --output=x",
    "log --out",
    "log --ext",
    "log --no-i",
    "log -Ofile",
    "log --format=%GK",
    "status --help",
    "ls-files -- --help",
    "rev-parse -- -x",
  ])
    assert.equal(isReadOnlyGit(command.split(" ")), false, command)
})

test("options of git match completely: with more characters it is another option", () => {
  for (const [verb, option] of [
    ["blame", "-w"],
    ["branch", "-a"],
    ["tag", "-l"],
    ["remote", "-v"],
    ["rev-parse", "-q"],
    ["rev-list", "-n"],
    ["ls-files", "-c"],
    ["ls-tree", "-r"],
    ["cat-file", "-p"],
    ["merge-base", "-a"],
    ["describe", "--tags"],
    ["grep", "-n"],
    ["shortlog", "-s"],
  ] as const) {
    const reads = (word: string) => isReadOnlyGit([verb, ...(verb === "cat-file" ? ["-t"] : []), word])
    assert.deepEqual([option, `-?${option}`, `${option}?`].map(reads), [true, false, false], `${verb} ${option}`)
  }
})
