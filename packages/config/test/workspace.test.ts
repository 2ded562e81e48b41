import { phrase } from "@gong/spec"
import assert from "node:assert/strict"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { homeFolder, prepareHome } from "../src/home.ts"
import { findWorkspace, type WorkspaceQuery } from "../src/workspace.ts"
import { createLocalHost } from "@gong/tools/host/local"
import { folder } from "@gong/testing/folder"
import { here } from "./here.ts"

type Query = Pick<WorkspaceQuery, "from"> & Partial<WorkspaceQuery> & { readonly home?: string; readonly temp?: string }

async function found({ home = "/nowhere", temp: tmp = "/nowhere", ...query }: Query) {
  const workspace = await findWorkspace(createLocalHost({ cwd: "/", home, tmp }), { addDirs: [], ...query })
  assert.ok(workspace.ok, workspace.ok ? "" : workspace.error.lines.join("\n"))
  return workspace.value
}

test("the workspace is the git top level that contains the cwd", async (t) => {
  const root = folder(t, { ".git/HEAD": "ref: x", "a/b/c.ts": "" })
  const temp = folder(t)
  assert.deepEqual(await found({ from: root, cwd: "a/b", temp }), {
    host: "local",
    cwd: join(root, "a/b"),
    folder: root,
    git: true,
    repository: root,
    roots: [root, temp],
    notes: [],
  })
})

test("without git, or with a repository of the whole home, the workspace is the cwd", async (t) => {
  const plain = folder(t, { "a/b.ts": "" })
  assert.deepEqual((await found({ from: join(plain, "a") })).roots, [join(plain, "a")])
  const home = folder(t, { ".git/HEAD": "", "work/x": "" })
  const inHome = await found({ from: join(home, "work"), home })
  assert.deepEqual([inHome.folder, inHome.git], [join(home, "work"), false])
  assert.deepEqual(inHome.notes, [
    phrase`gong: the git repository is ${home}, which is too wide; the workspace is ${join(home, "work")}.`,
  ])
})

test("links are resolved; --add-dir is another root", async (t) => {
  const root = folder(t, { ".git/HEAD": "" })
  const other = folder(t, { "sub/x": "" })
  symlinkSync(root, join(other, "link"))
  const workspace = await found({ from: other, cwd: "link", addDirs: [join(other, "sub"), join(other, "sub")] })
  assert.deepEqual([workspace.cwd, workspace.roots], [root, [root, join(other, "sub")]])
})

test("a missing folder is a usage error that names it", async (t) => {
  const root = folder(t, { file: "" })
  const line = async (query: Partial<WorkspaceQuery>): Promise<string> => {
    const workspace = await findWorkspace(here, { from: root, addDirs: [], ...query })
    assert.ok(!workspace.ok)
    return workspace.error.lines.join("\n")
  }
  assert.equal(await line({ cwd: "nope" }), "gong: --cwd nope: no such folder.")
  assert.equal(await line({ cwd: "file" }), "gong: --cwd file: no such folder.")
  assert.equal(await line({ addDirs: ["nope"] }), "gong: --add-dir nope: no such folder.")
})

test("a linked worktree adds its common git folder", async (t) => {
  const main = folder(t, { ".git/HEAD": "", ".git/worktrees/w/commondir": "../..\n" })
  const tree = folder(t, { ".git": `gitdir: ${main}/.git/worktrees/w\n` })
  writeFileSync(join(main, ".git/worktrees/w/gitdir"), `${tree}/.git\n`)
  assert.deepEqual((await found({ from: tree })).roots, [tree, join(main, ".git")])
  assert.equal((await found({ from: tree })).repository, main, "for rules both are one")
})

test("a forged .git file adds nothing", async (t) => {
  const secret = folder(t, { "worktrees/w/commondir": "../..", id_rsa: "" })
  const pointing = folder(t, { ".git": `gitdir: ${secret}/worktrees/w\n` })
  assert.deepEqual((await found({ from: pointing })).roots, [pointing], "nobody points back")
  writeFileSync(join(secret, "worktrees/w/gitdir"), join(secret, ".git"))
  assert.deepEqual((await found({ from: pointing })).roots, [pointing], "it points back to another")

  const forged = folder(t, { "worktrees/w/commondir": `${secret}\n` })
  writeFileSync(join(forged, ".git"), "gitdir: ./worktrees/w\n")
  writeFileSync(join(forged, "worktrees/w/gitdir"), join(forged, ".git"))
  assert.deepEqual((await found({ from: forged })).roots, [forged], "what commondir claims does not count")

  const submodule = folder(t, { ".git": "gitdir: ../.git/modules/sub\n" })
  assert.deepEqual((await found({ from: submodule })).roots, [submodule])
})

test("GONG_HOME: as set, from ~, or ~/.gong", async () => {
  assert.equal(homeFolder({}, "/home/u", "/w"), "/home/u/.gong")
  assert.equal(homeFolder({ GONG_HOME: "" }, "/home/u", "/w"), "/home/u/.gong")
  assert.equal(homeFolder({ GONG_HOME: "~/g" }, "/home/u", "/w"), "/home/u/g")
  assert.equal(homeFolder({ GONG_HOME: "g" }, "/home/u", "/w"), "/w/g")
})

test("an unwritable home is one line with a remedy", async (t) => {
  const root = folder(t, { file: "" })
  mkdirSync(join(root, "home"))
  assert.equal(prepareHome(join(root, "home")).ok, true)
  assert.equal(prepareHome(join(root, "new/.gong")).ok, true)
  const blocked = prepareHome(join(root, "file/.gong"))
  assert.ok(!blocked.ok)
  assert.deepEqual(blocked.error.lines, [
    `gong: cannot write to ${root}/file/.gong (ENOTDIR). Set GONG_HOME to a writable folder, or use --no-session.`,
  ])
})

test("a .git file that names no folder adds none to the roots", async (t) => {
  for (const content of ["", "gitdir:\n", "somewhere else\n", "gitdir: nowhere\n"]) {
    const root = folder(t, { ".git": content })
    const { roots } = await found({ from: root, cwd: "." })
    assert.deepEqual(roots, [root], JSON.stringify(content))
  }
})
