import assert from "node:assert/strict"
import { test } from "node:test"
import { createMemoryHost } from "../../../../src/host/memory.ts"
import { gitFolders } from "../../../../src/host/sandbox/git/git-folders.ts"

type Tree = Parameters<typeof createMemoryHost>[0]

const foldersOf = (tree: Tree, places: readonly string[] = ["/w"]) => gitFolders(createMemoryHost(tree), "/w", places)

const shared = (path: string) => ({ path, shared: true })
const own = (path: string) => ({ path, shared: false })

test("the git folder of a project is `.git`, or the project itself", async () => {
  assert.deepEqual(await foldersOf({ files: { "/w/.git/HEAD": "" } }), { folders: [shared("/w/.git")], line: null })
  assert.deepEqual(await foldersOf({ files: { "/w/a": "" } }), { folders: [], line: null })
  const bare = { "/w/HEAD": "", "/w/objects/a": "", "/w/refs/a": "" }
  assert.deepEqual(await foldersOf({ files: bare }), { folders: [shared("/w")], line: null })
  for (const missing of Object.keys(bare))
    assert.deepEqual(
      (await foldersOf({ files: Object.fromEntries(Object.entries(bare).filter(([path]) => path !== missing)) }))
        .folders,
      [],
      missing,
    )
})

test("a worktree has a folder of its own and a shared one", async () => {
  const git = { "/r/.git/HEAD": "", "/r/.git/worktrees/w/HEAD": "" }
  const line = "/w/.git"
  const at = "/r/.git/worktrees/w"
  const both = { folders: [own(at), shared("/r/.git")], line }
  for (const to of ["/r/.git/worktrees/w\n", "../r/.git/worktrees/w", "/r/./.git/worktrees/w\r\n\n"])
    assert.deepEqual(
      await foldersOf({ files: { ...git, "/w/.git": `gitdir: ${to}`, [`${at}/commondir`]: "../..\n" } }),
      both,
      to,
    )
  const pointing = { ...git, "/w/.git": `gitdir: ${at}\n` }
  assert.deepEqual(await foldersOf({ files: pointing }), { folders: [shared(at)], line })
  assert.deepEqual(await foldersOf({ files: { ...pointing, [`${at}/commondir`]: ".\n" } }), {
    folders: [shared(at)],
    line,
  })
  assert.deepEqual(await foldersOf({ files: { ...pointing, [`${at}/commondir`]: "/none\n" } }), {
    folders: [own(at)],
    line,
  })
})

test("a `.git` file without a target, or with a missing one, has no folder", async () => {
  for (const text of ["", "gitdir:/r", "x gitdir: /r", "gitdir: /none\n"])
    assert.deepEqual(await foldersOf({ files: { "/w/.git": text, "/r/HEAD": "" } }), { folders: [], line: "/w/.git" })
})

test("a symbolic link in a writable folder is refused", async () => {
  const refused = (path: string) => ({
    code: "ESANDBOX",
    message: new RegExp(`\\(${path} is, or lies behind, a symbolic link, which a command could replace`),
  })
  await assert.rejects(foldersOf({ files: { "/r/HEAD": "" }, links: { "/w/.git": "/r" } }), refused("/w/.git"))
  const behind = { files: { "/r/HEAD": "", "/w/.git": "gitdir: /w/link\n" }, links: { "/w/link": "/r" } }
  await assert.rejects(foldersOf(behind), refused("/w/link"))
  const outside = { files: { "/r/HEAD": "", "/w/.git": "gitdir: /x/link\n" }, links: { "/x/link": "/r" } }
  assert.deepEqual(await foldersOf(outside), { folders: [shared("/r")], line: "/w/.git" })
})
