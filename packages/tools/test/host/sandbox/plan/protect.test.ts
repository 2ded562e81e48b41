import assert from "node:assert/strict"
import { realpathSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { folder } from "@gong/testing/folder"
import { mergeLayouts, readOnly, writable } from "../../../../src/host/sandbox/plan/mount.ts"
import { foldersAbove, protect, targetOf } from "../../../../src/host/sandbox/plan/protect.ts"

test("the folders above a path begin below the innermost mount, which must be writable", () => {
  const places = { writable: ["/w", "/w/kept/root", "/"], others: ["/w/kept", "/w/cache"] }
  for (const [path, above] of [
    ["/w/a/b/f", ["/w/a", "/w/a/b"]],
    ["/w/f", []],
    ["/w/kept/f", null],
    ["/w/kept/root/a/f", ["/w/kept/root/a"]],
    ["/w/kept", []],
    ["/w/cache/a/b", null],
    ["/x/y/f", ["/x", "/x/y"]],
    ["/w", []],
  ] as const)
    assert.deepEqual(foldersAbove(path, places), above, path)
  assert.equal(foldersAbove("/x/f", { writable: ["/w"], others: [] }), null)
  assert.equal(foldersAbove("/w", { writable: ["/w"], others: [] }), null)
  assert.equal(foldersAbove("/wx/f", { writable: ["/w"], others: [] }), null)
})

test("a path is read-only with a mount for each folder above; a missing one is watched", (t) => {
  const root = realpathSync(folder(t, { "a/b/file": "" }))
  const at = (path: string) => join(root, path)
  const places = { writable: [root], others: [] }
  assert.deepEqual(
    protect(at("a/b/file"), places),
    mergeLayouts([{ mounts: [writable(at("a")), writable(at("a/b")), readOnly(at("a/b/file"))] }]),
  )
  assert.deepEqual(protect(at("a"), places), mergeLayouts([{ mounts: [readOnly(at("a"))] }]))
  assert.deepEqual(protect(at("a/none"), places), mergeLayouts([{ watched: [at("a/none")] }]))
  assert.deepEqual(protect(at("a/b/file"), { writable: [], others: [] }), mergeLayouts([]))
  assert.deepEqual(protect(at("a"), { writable: [root], others: [at("a")] }), mergeLayouts([]))
})

test("a link on the path is watched, and its target protected", (t) => {
  const root = realpathSync(folder(t, { "a/real/file": "" }))
  const at = (path: string) => join(root, path)
  const places = { writable: [root], others: [] }
  symlinkSync("../a/real", at("a/link"))
  symlinkSync(at("a/./link"), at("a/second"))
  assert.deepEqual([targetOf(at("a/link")), targetOf(at("a/second"))], [at("a/real"), at("a/link")])
  const real = [writable(at("a")), writable(at("a/real")), readOnly(at("a/real/file"))]
  assert.deepEqual(
    protect(at("a/second/file"), places),
    mergeLayouts([{ watched: [at("a/second"), at("a/link")], mounts: real }]),
  )
  symlinkSync("none", at("a/broken"))
  assert.deepEqual(protect(at("a/broken"), places), mergeLayouts([{ watched: [at("a/broken"), at("a/none")] }]))
  symlinkSync("/etc/passwd", at("a/out"))
  assert.deepEqual(protect(at("a/out"), places), mergeLayouts([{ watched: [at("a/out")] }]))
})

test("of a chain of links 21 are watched, so that a ring ends", (t) => {
  const root = realpathSync(folder(t))
  symlinkSync("ring", join(root, "ring"))
  const { watched, mounts } = protect(join(root, "ring"), { writable: [root], others: [] })
  assert.deepEqual([watched.length, mounts], [21, []])
})
