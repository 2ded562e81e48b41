import { phrase } from "@gong/spec"
import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { homeFolder, makeFolder, prepareHome, withPath, writePrivateFile } from "../src/home.ts"
import { findWorkspace, type WorkspaceQuery } from "../src/workspace.ts"
import { createLocalHost } from "@gong/tools/host/local"
import { createMemoryHost } from "@gong/tools/host/memory"
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

  writeFileSync(join(secret, "worktrees/w/gitdir"), join(forged, ".git"))
  assert.deepEqual((await found({ from: pointing })).roots, [pointing], "it points back to another that exists")

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

test("the nearest .git counts, and a folder without one is its own workspace", async (t) => {
  const root = folder(t, { ".git/HEAD": "", "in/.git/HEAD": "", "in/a/x": "" })
  const inner = await found({ from: join(root, "in/a") })
  assert.deepEqual([inner.folder, inner.git, inner.notes], [join(root, "in"), true, []])
  const plain = folder(t, { "a/x": "" })
  assert.deepEqual(await found({ from: join(plain, "a") }), {
    host: "local",
    cwd: join(plain, "a"),
    folder: join(plain, "a"),
    git: false,
    repository: join(plain, "a"),
    roots: [join(plain, "a")],
    notes: [],
  })
})

test("a worktree of a bare repository has that one as its repository", async (t) => {
  const bare = folder(t, { HEAD: "", "worktrees/w/commondir": "../..\n" })
  const tree = folder(t, { ".git": `x\ngitdir: ${bare}/worktrees/w \nmore\n` })
  writeFileSync(join(bare, "worktrees/w/gitdir"), ` ${tree}/.git \n`)
  const { roots, repository, git } = await found({ from: tree })
  assert.deepEqual([roots, repository, git], [[tree, bare], bare, true])
})

test("a .git file or its counterpart over 8192 bytes is no link", async (t) => {
  for (const [size, roots] of [
    [8192, 2],
    [8193, 1],
  ] as const) {
    const main = folder(t, { ".git/HEAD": "", ".git/worktrees/w/x": "" })
    const tree = folder(t, { ".git": `gitdir: ${main}/.git/worktrees/w\n`.padEnd(size, "\n") })
    writeFileSync(join(main, ".git/worktrees/w/gitdir"), `${tree}/.git\n`)
    assert.equal((await found({ from: tree })).roots.length, roots, String(size))
    writeFileSync(join(tree, ".git"), `gitdir: ${main}/.git/worktrees/w\n`)
    writeFileSync(join(main, ".git/worktrees/w/gitdir"), `${tree}/.git`.padEnd(size, "\n"))
    assert.equal((await found({ from: tree })).roots.length, roots, String(size))
  }
})

test("an inaccessible folder is a usage error with the reason", async (t) => {
  const root = folder(t, {})
  const denied = {
    ...here,
    access: async () => {
      throw Object.assign(new Error("no"), { code: "EACCES" })
    },
  }
  for (const [query, shown] of [
    [{ from: root }, root],
    [{ from: "/", cwd: root.slice(1) }, root.slice(1)],
  ] as const) {
    const refused = await findWorkspace(denied, { addDirs: [], ...query })
    assert.deepEqual(refused.ok ? [] : refused.error.lines, [
      `gong: --cwd ${shown}: this folder is not accessible (EACCES). Fix its permissions or choose another one.`,
    ])
  }
})

test("GONG_HOME is never taken for a name beside the home, and is relative to the current folder", () => {
  assert.equal(homeFolder({ GONG_HOME: "~" }, "/home/u", "/w"), "/home/u")
  assert.equal(homeFolder({ GONG_HOME: "~x" }, "/home/u", "/w"), "/w/~x")
  assert.equal(homeFolder({ GONG_HOME: "/abs" }, "/home/u", "/w"), "/abs")
})

test("folders of Gong are made for the user alone, with their parents; an existing one stays as it is", (t) => {
  const root = folder(t, { file: "" })
  makeFolder(join(root, "a/b/c"))
  for (const name of ["a", "a/b", "a/b/c"]) assert.equal(statSync(join(root, name)).mode & 0o777, 0o700, name)
  mkdirSync(join(root, "open"), { mode: 0o755 })
  makeFolder(join(root, "open"))
  assert.equal(statSync(join(root, "open")).mode & 0o777, 0o755)
  assert.throws(() => makeFolder(join(root, "file")), { code: "EEXIST" })
  assert.throws(() => makeFolder(join(root, "file/x")), { code: "ENOTDIR" })
  makeFolder("/")
})

test("a private file is replaced as a whole, with mode 0600, and no temporary one stays", (t) => {
  const home = join(folder(t), "new")
  writePrivateFile(home, "a.json", "one")
  writePrivateFile(home, "a.json", "two")
  assert.equal(readFileSync(join(home, "a.json"), "utf8"), "two")
  assert.equal(statSync(join(home, "a.json")).mode & 0o777, 0o600)
  mkdirSync(join(home, "dir"))
  writeFileSync(join(home, "dir/x"), "")
  assert.throws(() => writePrivateFile(home, "dir", "x"), { path: join(home, "dir") })
  assert.deepEqual(readdirSync(home).toSorted(), ["a.json", "dir"])
  assert.equal(withPath("no error", "/x"), "no error")
  const plain = new Error("no code")
  assert.deepEqual([withPath(plain, "/x") === plain, "path" in plain], [true, false])
})

test("a repository of the whole disk is no workspace", async () => {
  const host = createMemoryHost({ cwd: "/w", home: "/home/u", files: { "/.git/HEAD": "", "/w/a": "" } })
  const workspace = await findWorkspace(host, { from: "/w", addDirs: [] })
  assert.ok(workspace.ok)
  assert.deepEqual([workspace.value.folder, workspace.value.git], ["/w", false])
  assert.deepEqual(workspace.value.notes, [
    phrase`gong: the git repository is ${"/"}, which is too wide; the workspace is ${"/w"}.`,
  ])
})
