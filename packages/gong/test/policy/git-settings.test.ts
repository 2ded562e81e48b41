import assert from "node:assert/strict"
import { test } from "node:test"
import type { PolicyFacts } from "../../src/policy/judge.ts"
import { bash, facts, verdict } from "./world.ts"

/** A workspace in which just these files are. */
function withFiles(files: Readonly<Record<string, string>>, more: Partial<PolicyFacts> = {}): PolicyFacts {
  const names = Object.keys(files)
  return facts({
    exists: async (path) => names.some((name) => name === path || name.startsWith(`${path}/`)),
    readText: async (path) => files[path] ?? null,
    ...more,
  })
}

const top = "/home/u/shop"
const usual = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
[remote "origin"]
	url = git@example.com:u/shop.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "clean-up"]
	remote = origin
	merge = refs/heads/clean-up
[user]
	name = External Command
[extensions]
	worktreeConfig = true
`

test("git reads unasked where the settings of the repository run nothing", async () => {
  assert.equal(await verdict(bash("git status"), withFiles({ [`${top}/.git/config`]: usual })), "allow")
  assert.equal(await verdict(bash("git status"), withFiles({})), "allow", "there is no repository at all")
  assert.equal(await verdict(bash("cd src && git log -3"), withFiles({ [`${top}/.git/config`]: usual })), "allow")
  const linked = {
    [`${top}/.git`]: "gitdir: /home/u/main/.git/worktrees/shop\n",
    "/home/u/main/.git/worktrees/shop/commondir": "../..\n",
    "/home/u/main/.git/config": usual,
  }
  assert.equal(await verdict(bash("git diff"), withFiles(linked)), "allow")
})

test("[SAFE-5] [SC-13] a repository whose own settings run a program, fetch or look elsewhere is asked about", async () => {
  for (const line of [
    "[core]\n\tfsmonitor = ./evil",
    "[core] fsmonitor = ./evil",
    "[core]\n\tFsMonitor",
    "[core]\nfsmonitor=true",
    "[diff]\n\texternal = ./evil",
    '[diff "x"]\n\ttextconv = ./evil',
    '[diff "x"]\n\tcommand = ./evil',
    '[filter "x"]\n\tclean = ./evil',
    '[filter "x"] process=./evil',
    "[gpg]\n\tprogram = ./evil",
    "[log]\n\tshowSignature = true",
    "[format]\n\tpretty = %h %GK",
    '[pretty "x"] y = format:%G?',
    "[include]\n\tpath = ../more",
    '[remote "origin"]\n\tpromisor = true',
    "[extensions]\n\tpartialClone = origin",
    "[core]\n\tworktree = /home/u/other",
    "[log]\n\tdiffMerges = remerge",
  ]) {
    const given = withFiles({ [`${top}/.git/config`]: `${usual}${line}\n` })
    for (const command of ["git status", "git diff", "ls && git log"])
      assert.equal(await verdict(bash(command), given), "deny", line)
    assert.equal(await verdict(bash("ls"), given), "allow")
  }
  const worktree = { [`${top}/.git/config`]: usual, [`${top}/.git/config.worktree`]: "[core]\nfsmonitor=./evil\n" }
  assert.equal(await verdict(bash("git status"), withFiles(worktree)), "deny")
  const elsewhere = { [`${top}/.git`]: "gitdir: ./hidden\n", [`${top}/hidden/config`]: "[core]\nfsmonitor=./evil\n" }
  assert.equal(await verdict(bash("git status"), withFiles(elsewhere)), "deny")
  assert.equal(await verdict(bash("git status"), withFiles({ [`${top}/.git`]: "what?" })), "deny")
  const modules = { [`${top}/.git/config`]: usual, [`${top}/.gitmodules`]: "" }
  assert.equal(await verdict(bash("git status"), withFiles(modules)), "deny")
})

test("[SAFE-5] [SC-13] a folder of plain files that git would take for a repository is asked about", async () => {
  const bare = { [`${top}/.git/config`]: usual, [`${top}/bare/HEAD`]: "", [`${top}/bare/config`]: "" }
  assert.equal(await verdict(bash("cd bare && git status"), withFiles(bare)), "deny")
  assert.equal(await verdict(bash("cd bare/refs && git log"), withFiles(bare)), "deny")
  assert.equal(await verdict(bash("git status"), withFiles(bare)), "allow")
  assert.equal(await verdict(bash("git status"), withFiles({ [`${top}/HEAD`]: "" })), "deny")
  assert.equal(await verdict(bash("git status"), withFiles({ "/home/HEAD": "" })), "deny")
})

test("settings that cannot be read cannot be judged", async () => {
  const given = withFiles(
    { [`${top}/.git/config`]: usual },
    { readText: () => Promise.reject(new Error("EACCES: permission denied")) },
  )
  assert.equal(await verdict(bash("git status"), given), "deny")
})

test("[SAFE-4] a program that the workspace brings is not the one that only reads", async () => {
  const given = facts({
    findProgram: async (name) => (name === "rg" ? `${top}/node_modules/.bin/rg` : `/usr/bin/${name}`),
  })
  assert.equal(await verdict(bash("ls"), given), "allow")
  assert.equal(await verdict(bash("ls | rg x"), given), "deny")
  assert.equal(await verdict(bash("rg x"), facts({ findProgram: async () => null })), "allow", "it would not be found")
})
