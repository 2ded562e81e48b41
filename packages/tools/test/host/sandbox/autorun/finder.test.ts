import assert from "node:assert/strict"
import { chmodSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { createAutorunFinder } from "../../../../src/host/sandbox/autorun/finder.ts"
import { createPermitted, newIn } from "../../../../src/host/sandbox/autorun/permitted.ts"
import { mayReplaceFiles } from "../../../../src/host/sandbox/autorun/replaces-files.ts"

const content = (text: string, mode = 0o644) => ({ bytes: Buffer.from(text), mode, links: 1 })

test("auto-run files are found by their names, ignoring case, with a wildcard", (t) => {
  const root = folder(t, {
    ".VSCode/Tasks.json": "",
    ".VSCode/launch.json": "",
    "b.sandbox.rc": "",
    ".vscode/other.json": "",
    "a.rc": "",
    "a.rc.sandbox": "",
    "a.rc.sandbox3": "",
    "xa.rcx": "",
    "hooks/x": "",
    "sub/a.rc": "",
  })
  symlinkSync("sub", join(root, "Linked"))
  const finder = createAutorunFinder([".vscode/tasks.json", ".vscode/launch.json", "*.rc", "hooks", "linked/x", "none"])
  const at = (path: string, isClosed = false) => ({ root, path: join(root, path), isClosed })
  const found = [...finder.in(root)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  assert.deepEqual(found, [
    at(".VSCode/Tasks.json"),
    at(".VSCode/launch.json"),
    at("Linked", true),
    at("a.rc"),
    at("b.sandbox.rc"),
    at("hooks"),
  ])
  writeFileSync(join(root, "b.rc"), "")
  assert.equal(finder.in(root).length, 7)
  assert.deepEqual(finder.in(join(root, "none")), [])
  assert.deepEqual(createAutorunFinder([]).in(root), [])
})

test("a folder is read again after a change, also if it changed long ago", (t) => {
  const root = folder(t, { "a.rc": "" })
  const finder = createAutorunFinder(["*.rc"])
  assert.equal(finder.in(root).length, 1)
  mkdirSync(join(root, "b.rc"))
  utimesSync(root, 1, 1)
  assert.equal(finder.in(root).length, 2)
})

test("a path is an auto-run file by its names", () => {
  const finder = createAutorunFinder([".vscode/tasks.json", "*.rc", "a.b/c", "*+/d"])
  for (const [path, is] of [
    [".vscode/tasks.json", true],
    [".VSCODE/TASKS.JSON", true],
    [".vscode", false],
    [".vscode/tasks.json/x", true],
    [".vscode/tasks", false],
    ["x.rc", true],
    [".rc", true],
    ["xrc", false],
    ["x.rc.d", false],
    ["x.rc/d", true],
    ["axb/c", false],
    ["a+/d", true],
    ["aa/d", false],
    ["x/.vscode/tasks.json", false],
  ] as const)
    assert.equal(finder.names(path), is, path)
})

test(
  "a folder without the user's rights is opened",
  { skip: process.getuid?.() === 0 ? "root can read" : false },
  (t) => {
    const root = folder(t, { "a.rc": "" })
    chmodSync(root, 0o100)
    assert.equal(createAutorunFinder(["*.rc"]).in(root).length, 1)
    assert.equal(statSync(root).mode & 0o777, 0o700)
  },
)

test("of each path the last 20 contents are remembered, and 2000 paths", () => {
  const known = createPermitted()
  const add = (path: string, text: string) => known.add(new Map([[path, content(text)]]))
  const has = (path: string, text: string) => known.has(path, content(text))
  for (let at = 0; at < 21; at++) add("/a", `${at}`)
  assert.deepEqual([has("/a", "0"), has("/a", "1"), has("/a", "20"), has("/b", "1")], [false, true, true, false])
  add("/a", "1")
  add("/a", "21")
  assert.equal(has("/a", "1"), false, "a known content is not the newest again")
  known.add(new Map(Array.from({ length: 1_999 }, (_, at) => [`/p${at}`, content("")])))
  assert.equal(has("/a", "21"), true)
  add("/more", "")
  assert.deepEqual([has("/a", "21"), has("/p0", ""), has("/more", "")], [false, true, true])
})

test("contents are new if the path, the bytes or the right to run it are", () => {
  const before = new Map([
    ["/a", content("1")],
    ["/b", content("1")],
    ["/c", content("1")],
  ])
  const now = new Map([
    ["/a", content("1")],
    ["/b", content("2")],
    ["/c", content("1", 0o755)],
    ["/d", content("1")],
  ])
  assert.deepEqual([...newIn(now, before).keys()], ["/b", "/c", "/d"])
})

test("a command may replace files if it names a version control system, unless git only reads", () => {
  for (const [command, may] of [
    ["git checkout main", true],
    ["git status", false],
    ["git status && git stash", true],
    ["git -C a -c b=c --no-pager log", false],
    ["git -C a stash", true],
    ["git log-more", true],
    ["git", true],
    ["hg update", true],
    ["jj new; sl x", true],
    ["svn up", true],
    ["gh pr checkout 1", true],
    ["glab mr checkout 1", true],
    ["ls .git", false],
    ["ls x/my-git", false],
    ["ls git.txt git/x git:x git=x git-x", false],
    ["/usr/bin/git pull", true],
    ["npm test", false],
  ] as const)
    assert.equal(mayReplaceFiles(command), may, command)
  assert.deepEqual([mayReplaceFiles(["git", "pull"]), mayReplaceFiles(["git", "diff"])], [true, false])
})
