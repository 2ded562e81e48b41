import assert from "node:assert/strict"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { createNestedRepositories, fingerprint } from "../../../../src/host/sandbox/review/gitlinks.ts"
import { createLinkScan } from "../../../../src/host/sandbox/review/links.ts"

test("links are found at any depth, except in folders that commands cannot write", (t) => {
  const root = realpathSync(folder(t))
  const folders = ["a/b", "lfs/x", "annex/x", "sub/hooks"]
  const closed = ["hooks", "modules", "worktrees", "objects", "lfs/objects", "annex/objects"]
  for (const path of [...folders, ...closed]) {
    mkdirSync(join(root, path), { recursive: true })
    symlinkSync(`/to/${path}`, join(root, path, "link"))
  }
  symlinkSync("a", join(root, "top"))
  const scan = createLinkScan()
  const found = new Map([["top", "a"], ...folders.map((path) => [`${path}/link`, `/to/${path}`] as const)])
  const links = () => new Map([...scan(root)].map(([path, to]) => [path.slice(root.length + 1), to]))
  assert.deepEqual(links(), found)
  symlinkSync("new", join(root, "a/b/new"))
  assert.equal(links().get("a/b/new"), "new")
  assert.deepEqual(scan(join(root, "none")), new Map())
})

const gitlink = Buffer.from([1, 0, 0, 0xe0, 0, 2])

test("nested repositories are those that an index names, asked for once while it is the same", async (t) => {
  const root = realpathSync(folder(t, { "git/index": "plain" }))
  const asked: unknown[] = []
  const nested = createNestedRepositories(async (...words) => {
    asked.push(words)
    return `100644 ${"a".repeat(40)} 0\tfile\0${["sub", "with\ttab"].map((path) => `160000 ${"b".repeat(40)} 0\t${path}\0`).join("")}`
  })
  const paths = () => nested(root, join(root, "git"))
  assert.deepEqual([await paths(), asked], [[], []])
  writeFileSync(join(root, "git/index"), gitlink)
  assert.deepEqual(
    [await paths(), await paths()],
    [
      ["sub", "with\ttab"],
      ["sub", "with\ttab"],
    ],
  )
  assert.deepEqual(asked, [[root, ["ls-files", "--stage", "-z"]]])
  writeFileSync(join(root, "git/index"), "plain again")
  assert.deepEqual([await paths(), asked.length], [[], 1])
  writeFileSync(join(root, "git/sharedindex.1"), gitlink)
  assert.deepEqual([await paths(), asked.length], [["sub", "with\ttab"], 2])
  const failing = createNestedRepositories(async () => null)
  assert.deepEqual(await failing(root, join(root, "git")), [])
})

test("at most 1000 nested repositories count", async (t) => {
  const root = realpathSync(folder(t))
  writeFileSync(join(root, "index"), gitlink)
  const entries = Array.from({ length: 1_001 }, (_, at) => `160000 x 0\t${at}\0`).join("")
  const found = await createNestedRepositories(async () => entries)(root, root)
  assert.deepEqual([found.length, found.at(-1)], [1_000, "999"])
})

test("a fingerprint changes with whatever decides which programs git runs", (t) => {
  const root = realpathSync(folder(t, { "sub/.git/HEAD": "" }))
  const place = join(root, "sub/.git")
  const seen = new Set([fingerprint(place)])
  writeFileSync(join(place, "HEAD"), "other")
  mkdirSync(join(place, "hooks"))
  for (const [at, name] of [
    "config",
    "config.worktree",
    "commondir",
    "remotes",
    "branches",
    "gitweb",
    "hooks/a",
  ].entries()) {
    assert.equal(fingerprint(place), fingerprint(place))
    writeFileSync(join(place, name), "x")
    seen.add(fingerprint(place))
    assert.equal(seen.size, at + 2, name)
  }
  writeFileSync(join(place, "hooks/a"), "changed")
  seen.add(fingerprint(place))
  assert.equal(seen.size, 9)
  writeFileSync(join(root, "line"), "gitdir: sub/.git\n")
  assert.notEqual(fingerprint(join(root, "line")), fingerprint(place))
})
