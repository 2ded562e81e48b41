import { phrase } from "@gong/spec"
import assert from "node:assert/strict"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { homeFolder, prepareHome } from "../../src/config/home.ts"
import { findWorkspace, type WorkspaceQuery } from "../../src/config/workspace.ts"
import { folder } from "./folder.ts"

function found(query: Pick<WorkspaceQuery, "from"> & Partial<WorkspaceQuery>) {
  const workspace = findWorkspace({ addDirs: [], home: "/nowhere", temp: "/nowhere", ...query })
  assert.ok(workspace.ok, workspace.ok ? "" : workspace.error.lines.join("\n"))
  return workspace.value
}

test("the workspace is the git top level that contains the cwd", (t) => {
  const root = folder(t, { ".git/HEAD": "ref: x", "a/b/c.ts": "" })
  const temp = folder(t)
  assert.deepEqual(found({ from: root, cwd: "a/b", temp }), {
    cwd: join(root, "a/b"),
    folder: root,
    git: true,
    repository: root,
    roots: [root, temp],
    notes: [],
  })
})

test("without git, or where git's top is the home folder, it is the cwd", (t) => {
  const plain = folder(t, { "a/b.ts": "" })
  assert.deepEqual(found({ from: join(plain, "a") }).roots, [join(plain, "a")])
  const home = folder(t, { ".git/HEAD": "", "work/x": "" })
  const inHome = found({ from: join(home, "work"), home })
  assert.deepEqual([inHome.folder, inHome.git], [join(home, "work"), false])
  assert.deepEqual(inHome.notes, [
    phrase`gong: the git top level is ${home}; the workspace is only ${join(home, "work")}.`,
  ])
})

test("links are judged by where they lead; --add-dir is another root", (t) => {
  const root = folder(t, { ".git/HEAD": "" })
  const other = folder(t, { "sub/x": "" })
  symlinkSync(root, join(other, "link"))
  const workspace = found({ from: other, cwd: "link", addDirs: [join(other, "sub"), join(other, "sub")] })
  assert.deepEqual([workspace.cwd, workspace.roots], [root, [root, join(other, "sub")]])
})

test("a folder that is not there is named, exit 2", (t) => {
  const root = folder(t, { file: "" })
  const line = (query: Partial<WorkspaceQuery>): string => {
    const workspace = findWorkspace({ from: root, addDirs: [], home: "/nowhere", temp: "/nowhere", ...query })
    assert.ok(!workspace.ok)
    return workspace.error.lines.join("\n")
  }
  assert.equal(line({ cwd: "nope" }), "gong: --cwd nope: there is no such folder.")
  assert.equal(line({ cwd: "file" }), "gong: --cwd file: there is no such folder.")
  assert.equal(line({ addDirs: ["nope"] }), "gong: --add-dir nope: there is no such folder.")
})

test("a linked worktree adds its common git folder", (t) => {
  const main = folder(t, { ".git/HEAD": "", ".git/worktrees/w/commondir": "../..\n" })
  const tree = folder(t, { ".git": `gitdir: ${main}/.git/worktrees/w\n` })
  writeFileSync(join(main, ".git/worktrees/w/gitdir"), `${tree}/.git\n`)
  assert.deepEqual(found({ from: tree }).roots, [tree, join(main, ".git")])
  assert.equal(found({ from: tree }).repository, main, "for rules both are one")
})

test("a forged .git file adds nothing", (t) => {
  const secret = folder(t, { "worktrees/w/commondir": "../..", id_rsa: "" })
  const pointing = folder(t, { ".git": `gitdir: ${secret}/worktrees/w\n` })
  assert.deepEqual(found({ from: pointing }).roots, [pointing], "nobody points back")
  writeFileSync(join(secret, "worktrees/w/gitdir"), join(secret, ".git"))
  assert.deepEqual(found({ from: pointing }).roots, [pointing], "it points back to another")

  const forged = folder(t, { "worktrees/w/commondir": `${secret}\n` })
  writeFileSync(join(forged, ".git"), "gitdir: ./worktrees/w\n")
  writeFileSync(join(forged, "worktrees/w/gitdir"), join(forged, ".git"))
  assert.deepEqual(found({ from: forged }).roots, [forged], "what commondir claims does not count")

  const submodule = folder(t, { ".git": "gitdir: ../.git/modules/sub\n" })
  assert.deepEqual(found({ from: submodule }).roots, [submodule])
})

test("GONG_HOME: as set, from ~, or ~/.gong", () => {
  assert.equal(homeFolder({}, "/home/u", "/w"), "/home/u/.gong")
  assert.equal(homeFolder({ GONG_HOME: "" }, "/home/u", "/w"), "/home/u/.gong")
  assert.equal(homeFolder({ GONG_HOME: "~/g" }, "/home/u", "/w"), "/home/u/g")
  assert.equal(homeFolder({ GONG_HOME: "g" }, "/home/u", "/w"), "/w/g")
})

test("a home that cannot be written to is one line with the way out", (t) => {
  const root = folder(t, { file: "" })
  mkdirSync(join(root, "home"))
  assert.equal(prepareHome(join(root, "home")).ok, true)
  assert.equal(prepareHome(join(root, "new/.gong")).ok, true)
  const blocked = prepareHome(join(root, "file/.gong"))
  assert.ok(!blocked.ok)
  assert.deepEqual(blocked.error.lines, [
    `gong: cannot write to ${root}/file/.gong (ENOTDIR). Set GONG_HOME to a folder you can write to, or use --no-session.`,
  ])
})
