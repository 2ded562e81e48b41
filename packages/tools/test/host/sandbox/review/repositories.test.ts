import assert from "node:assert/strict"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { folder } from "@gong/testing/folder"
import { gitFolderAt, whyUnsafe } from "../../../../src/host/sandbox/review/repositories.ts"

type Files = Readonly<Record<string, string>>

/** Why the `.git` of a folder with these files is unsafe. `settings`: the answers of git by the path of a file. */
async function why(t: TestContext, files: Files, settings: Readonly<Record<string, string | null>> = {}) {
  const root = folder(t, files)
  const asked: string[] = []
  const reason = await whyUnsafe(join(root, ".git"), root, async (at, args) => {
    const path = args[2] ?? ""
    asked.push(path.slice(root.length + 1))
    assert.deepEqual(
      [at, args],
      [path.replace(/\/config$/, ""), ["config", "--file", path, "--no-includes", "--list", "-z"]],
    )
    const answer = settings[path.slice(root.length + 1)]
    return answer === undefined ? "core.bare\nfalse\0" : answer
  })
  return { reason, asked, root }
}

const repository = { ".git/HEAD": "ref: x", ".git/config": "", ".git/hooks/a.sample": "" }

test("a plain repository is safe; its settings are asked for once", async (t) => {
  assert.deepEqual((await why(t, repository)).asked, [".git/config"])
  assert.equal((await why(t, repository)).reason, null)
  const bare = await why(t, { ".git/HEAD": "x" })
  assert.deepEqual([bare.reason, bare.asked], [null, []])
})

test("files and folders by which git looks elsewhere or runs a program", async (t) => {
  for (const [file, reason] of [
    [".git/commondir", "commondir"],
    [".git/config.worktree", "config.worktree"],
    [".git/gitweb", "gitweb"],
    [".git/remotes/a", "remotes"],
    [".git/branches/a", "branches"],
    [".git/worktrees/a/gitdir", "worktrees"],
    [".git/hooks/pre-commit", "hooks/pre-commit"],
    [".git/hooks/a.sample.sh", "hooks/a.sample.sh"],
    [".git/refs/heads/x", null],
  ] as const)
    assert.equal((await why(t, { ...repository, [file]: "" })).reason, reason, file)
})

test("settings that git could not list, and ones that act", async (t) => {
  for (const [answer, reason] of [
    [null, "its settings"],
    ["", null],
    ["core.fsmonitor\nx\0", "core.fsmonitor"],
    ["core.bare\nfalse\0alias.x\n!y\0", "alias.x"],
    ["core.worktree\n../\0", "core.worktree"],
  ] as const)
    assert.equal((await why(t, repository, { ".git/config": answer })).reason, reason)
})

test("symbolic links in the folder are unsafe", async (t) => {
  const root = folder(t, repository)
  symlinkSync("/etc", join(root, ".git/logs"))
  assert.equal(await whyUnsafe(join(root, ".git"), root, async () => ""), "symbolic links")
})

test("submodules are read in the same way, at any depth and below folders of their names", async (t) => {
  const module = ".git/modules/group/sub"
  const files = { ...repository, [`${module}/HEAD`]: "x", [`${module}/config`]: "" }
  const own = "core.worktree\n../../../../sub\0"
  assert.deepEqual((await why(t, files, { [`${module}/config`]: own })).reason, null)
  assert.equal(
    (await why(t, files, { [`${module}/config`]: "core.worktree\n../../../../../out\0" })).reason,
    "core.worktree",
  )
  assert.equal((await why(t, files, { [`${module}/config`]: "core.worktree\n/abs\0" })).reason, "core.worktree")
  assert.equal((await why(t, { ...files, [`${module}/hooks/x`]: "" })).reason, "hooks/x")
  const deeper = `${module}/modules/inner`
  assert.equal((await why(t, { ...files, [`${deeper}/HEAD`]: "", [`${deeper}/gitweb`]: "" })).reason, "gitweb")
})

test("submodules are followed six folders deep", async (t) => {
  const nested = (levels: number) => ({ ...repository, [`.git${"/modules/m".repeat(levels)}/HEAD`]: "" })
  const all = (levels: number) =>
    Object.assign({}, ...Array.from({ length: levels }, (_, at) => nested(at + 1))) as Files
  assert.equal((await why(t, all(6))).reason, null)
  assert.equal((await why(t, all(7))).reason, "its submodules")
})

test("a `.git` file points to a folder inside the root, which may be that of a submodule", async (t) => {
  const target = { "real/HEAD": "x", "real/config": "" }
  for (const [line, reason] of [
    ["gitdir: real\n", null],
    ["gitdir: ./real\r\n", null],
    ["gitdir: real/../real", null],
    ["gitdir: .\n", "the line in it"],
    ["gitdir: ../out\n", "the line in it"],
    ["gitdir: /etc\n", "the line in it"],
    ["gitdir:real\n", "it is no folder"],
    ["x gitdir: real\n", "it is no folder"],
  ] as const)
    assert.equal((await why(t, { ...target, ".git": line })).reason, reason, line)
  const own = "core.worktree\n../work\0"
  assert.equal((await why(t, { ...target, ".git": "gitdir: real" }, { "real/config": own })).reason, null)
  assert.equal((await why(t, {})).reason, "it is no folder")
})

test("a `.git` file has at most 8192 bytes; its path is absolute or relative to its folder", (t) => {
  const padded = (bytes: number) => "gitdir: a".padEnd(bytes, "\n")
  const root = folder(t, {
    most: padded(8_192),
    more: padded(8_193),
    absolute: "gitdir: /x/../y/",
    "sub/relative": "gitdir: ../b",
  })
  const at = (name: string) => gitFolderAt(join(root, name))
  assert.deepEqual(["most", "more", "absolute", "sub/relative", "sub", "none"].map(at), [
    join(root, "a"),
    null,
    "/y",
    join(root, "b"),
    join(root, "sub"),
    null,
  ])
})
