import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { bytesOf, findIn } from "../../src/trust/folder-files.ts"
import { folder } from "@gong/testing/folder"
import { here } from "../here.ts"

test("kinds of paths: missing, a file, a folder, outside, or other", async (t) => {
  const outside = folder(t, { secret: "1" })
  const root = folder(t, { "a.txt": "four", "sub/b": "" })
  symlinkSync(join(outside, "secret"), join(root, "out"))
  symlinkSync("sub", join(root, "in"))
  symlinkSync("loop", join(root, "loop"))
  symlinkSync("gone", join(root, "dangling"))
  execFileSync("mkfifo", [join(root, "pipe")])
  const cases = {
    "a.txt": { kind: "file", size: 4 },
    sub: { kind: "folder" },
    "": { kind: "folder" },
    in: { kind: "folder" },
    out: { kind: "outside", real: join(outside, "secret") },
    loop: { kind: "other" },
    pipe: { kind: "other" },
    dangling: null,
    gone: null,
    "a.txt/below": null,
  }
  for (const [path, found] of Object.entries(cases)) assert.deepEqual(await findIn(here, root, path), found, path)
  assert.deepEqual(await findIn(here, "/", join(outside, "secret")), { kind: "file", size: 1 })
  assert.equal(await findIn(here, join(root, "sub"), "../sub2"), null)
})

test("only files have bytes", async (t) => {
  const root = folder(t, { a: "text", "sub/b": "" })
  execFileSync("mkfifo", [join(root, "pipe")])
  assert.equal(String(await bytesOf(here, root, "a")), "text")
  for (const path of ["sub", "pipe", "gone"]) assert.equal(await bytesOf(here, root, path), null, path)
})
