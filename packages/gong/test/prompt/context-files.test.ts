import assert from "node:assert/strict"
import { test } from "node:test"
import { findContextFiles, formatContextFiles } from "../../src/prompt/context-files.ts"

function find(files: Readonly<Record<string, string>>, workspace = "/w/shop", cwd = "/w/shop/packages/db") {
  const found = findContextFiles({ user: ["/home/u/.gong"], workspace, cwd, read: (path) => files[path] ?? null })
  return found.map(({ path, from }) => [path, from])
}

test("[PROMPT-6] the user's file and those from the workspace's top down to the working directory, most general first", () => {
  const files = {
    "/home/u/.gong/AGENTS.md": "mine",
    "/w/AGENTS.md": "above the workspace",
    "/w/shop/AGENTS.md": "top",
    "/w/shop/packages/CLAUDE.md": "middle",
    "/w/shop/packages/db/AGENTS.md": "here",
    "/w/shop/packages/db/deep/AGENTS.md": "below",
  }
  assert.deepEqual(find(files), [
    ["/home/u/.gong/AGENTS.md", "user"],
    ["/w/shop/AGENTS.md", "repository"],
    ["/w/shop/packages/CLAUDE.md", "repository"],
    ["/w/shop/packages/db/AGENTS.md", "repository"],
  ])
})

test("[PROMPT-6] AGENTS.md goes before CLAUDE.md in one folder; an empty one does not count", () => {
  const both = { "/w/shop/AGENTS.md": "a", "/w/shop/CLAUDE.md": "c" }
  assert.deepEqual(find(both), [["/w/shop/AGENTS.md", "repository"]])
  assert.deepEqual(find({ ...both, "/w/shop/AGENTS.md": " \n" }), [["/w/shop/CLAUDE.md", "repository"]])
})

test("a working directory outside the workspace is looked at alone, and / has no double slash", () => {
  assert.deepEqual(find({ "/x/AGENTS.md": "x", "/w/shop/AGENTS.md": "w" }, "/w/shop", "/x"), [
    ["/x/AGENTS.md", "repository"],
  ])
  assert.deepEqual(find({ "/AGENTS.md": "root", "/a/AGENTS.md": "a" }, "/", "/a"), [
    ["/AGENTS.md", "repository"],
    ["/a/AGENTS.md", "repository"],
  ])
  assert.deepEqual(find({ "/w/shop/AGENTS.md": "w" }, "/w/shop", "/w/shopping"), [])
})

test("a long file is cut and says so; where each is from is said, and that the repository's never widen anything", () => {
  const read = (path: string): string | null => (path === "/w/AGENTS.md" ? "x".repeat(40_000) : null)
  const files = findContextFiles({ user: [], workspace: "/w", cwd: "/w", read })
  assert.deepEqual(
    files.map(({ text, cut }) => [text.length, cut]),
    [[32_000, true]],
  )
  const text = formatContextFiles(files)
  assert.match(text, /never widen what you may do/)
  assert.match(text, /<file path="\/w\/AGENTS\.md" from="repository">/)
  assert.match(text, /\[cut here: the file is longer; use read to see the rest\]\n<\/file>$/)
  assert.equal(formatContextFiles([]), "")
})
