import assert from "node:assert/strict"
import { mkdirSync, realpathSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { folder } from "@gong/testing/folder"
import { createLocalHost } from "../../../../src/host/local.ts"
import { gitMounts } from "../../../../src/host/sandbox/git/git-mounts.ts"
import { readOnly, writable } from "../../../../src/host/sandbox/plan/mount.ts"

interface Options {
  readonly links?: Readonly<Record<string, string>>
  readonly writable?: readonly string[]
  readonly others?: readonly string[]
  readonly named?: readonly string[]
}

/** The layout of a project `w` with these files. */
async function layoutOf(t: TestContext, files: Readonly<Record<string, string>>, more: Options = {}) {
  const base = realpathSync(folder(t, files))
  const at = (path: string) => join(base, path)
  for (const [path, to] of Object.entries(more.links ?? {})) symlinkSync(to, at(path))
  mkdirSync(at("w"), { recursive: true })
  const asked: unknown[] = []
  const found = await gitMounts(at("w"), {
    host: createLocalHost({ cwd: base, home: base }),
    places: { writable: (more.writable ?? ["w"]).map(at), others: (more.others ?? []).map(at) },
    namedPaths: async (...words) => {
      asked.push(words)
      return (more.named ?? []).map(at)
    },
  })
  return { ...found, at, asked }
}

const shared = ["config", "hooks", "remotes", "branches", "worktrees", "modules"]
const own = ["config.worktree", "commondir", "gitdir"]
const names = [...shared, ...own]

/** Placeholders of missing names: the text of a file, null for a folder. */
const texts = {
  config: "",
  hooks: null,
  remotes: "",
  branches: "",
  worktrees: null,
  "config.worktree": "",
  commondir: ".\n",
}

test("a project without a repository has nothing to protect", async (t) => {
  const { at, asked, ...layout } = await layoutOf(t, {})
  const repository = { root: at("w"), own: null, folders: [] }
  assert.deepEqual(layout, { mounts: [], made: [], watched: [], repositories: [repository] })
  assert.deepEqual(asked, [])
})

test("in a git folder all that decides about programs is read-only, and missing names have placeholders", async (t) => {
  const { at, asked, mounts, made, watched, repositories } = await layoutOf(t, { "w/.git/HEAD": "" })
  const git = at("w/.git")
  assert.deepEqual(mounts, [writable(git), ...names.map((name) => readOnly(join(git, name)))])
  assert.deepEqual(
    made,
    Object.entries(texts).map(([name, text]) => ({ path: join(git, name), text })),
  )
  assert.deepEqual(repositories, [{ root: at("w"), own: git, folders: [git] }])
  assert.deepEqual([watched, asked], [[], [[at("w"), [git]]]])
})

test("a worktree has the names of both folders, and its `.git` is read-only", async (t) => {
  const files = {
    "w/.git": "gitdir: ../r/.git/worktrees/w\n",
    "r/.git/HEAD": "",
    "r/.git/worktrees/w/commondir": "../..\n",
  }
  const { at, mounts, made, repositories } = await layoutOf(t, files, { writable: ["w", "r"] })
  const [mine, all] = [at("r/.git/worktrees/w"), at("r/.git")]
  assert.deepEqual(mounts, [
    readOnly(at("w/.git")),
    writable(at("r/.git")),
    writable(at("r/.git/worktrees")),
    writable(mine),
    ...["config.worktree", "commondir", "gitdir", "modules"].map((name) => readOnly(join(mine, name))),
    writable(all),
    ...names.map((name) => readOnly(join(all, name))),
  ])
  assert.deepEqual(
    made.map(({ path }) => path),
    [
      ...["config.worktree", "commondir"].map((name) => join(mine, name)),
      ...Object.keys(texts).map((name) => join(all, name)),
    ],
  )
  assert.deepEqual(repositories, [{ root: at("w"), own: mine, folders: [mine, all] }])
  const outside = await layoutOf(t, files)
  assert.deepEqual(outside.mounts, [readOnly(outside.at("w/.git"))])
  assert.deepEqual(outside.repositories[0]?.folders, [], "commands cannot write to either")
})

test("a git folder that is writable as such is mounted, one that is read-only is not", async (t) => {
  const files = { "w/.git/HEAD": "" }
  const alone = await layoutOf(t, files, { writable: ["w/.git"] })
  assert.deepEqual(alone.mounts[0], writable(alone.at("w/.git")))
  assert.deepEqual(alone.repositories[0]?.folders, [alone.at("w/.git")])
  const kept = await layoutOf(t, files, { others: ["w/.git"], writable: [] })
  assert.deepEqual([kept.mounts, kept.made, kept.repositories[0]?.folders], [[], [], []])
})

test("a git folder with a link among the names is read-only as a whole, with the target of the link", async (t) => {
  const { at, mounts, made } = await layoutOf(
    t,
    { "w/.git/HEAD": "", "w/own/settings": "" },
    { links: { "w/.git/config": "../own/settings" } },
  )
  assert.deepEqual(mounts, [readOnly(at("w/.git")), writable(at("w/own")), readOnly(at("w/own/settings"))])
  assert.deepEqual(made, [])
})

test("hooks that are links to files of the project are read-only, and so are named paths and links in them", async (t) => {
  const files = { "w/.git/hooks/plain": "", "w/tools/hook": "", "w/more/real": "", "w/named/x": "" }
  const links = { "w/.git/hooks/linked": "../../tools/hook", "w/named/link": "../more/real" }
  const { at, mounts } = await layoutOf(t, files, { links, named: ["w/named"] })
  assert.deepEqual(mounts.slice(1 + names.length), [
    writable(at("w/tools")),
    readOnly(at("w/tools/hook")),
    readOnly(at("w/named")),
    writable(at("w/more")),
    readOnly(at("w/more/real")),
  ])
})
