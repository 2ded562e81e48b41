import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { createLocalHost } from "@gong/tools/host/local"
import { hasEscapingLinks } from "../../src/compose/sandbox/escaping-links.ts"

test("only links from inside the tree to existing targets outside count as leading out", async (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gong-links-")))
  t.after(() => rmSync(root, { recursive: true }))
  const host = createLocalHost({ cwd: root, env: {}, home: root })
  const tree = join(root, "tree")
  const link = (path: string, to: string): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    symlinkSync(to, join(tree, path))
  }
  const out = (path = "") => hasEscapingLinks(host, join(tree, path))
  link("node_modules/.bin/tool", "../tool/main.js")
  writeFileSync(join(tree, "a.txt"), "a")
  mkdirSync(join(tree, "node_modules/tool"))
  writeFileSync(join(tree, "node_modules/tool/main.js"), "a")
  link("src/nowhere", "missing")
  link("src/loop", ".")
  assert.equal(await out(), false)
  link("out/key", join(root, "key"))
  assert.equal(await out("out"), false, "nothing is there yet")
  writeFileSync(join(root, "key"), "k")
  assert.deepEqual([await out(), await out("out"), await out("src"), await out("a.txt")], [true, true, false, false])
  link("lib/of-another-folder", "../src")
  assert.deepEqual([await out("lib"), await out("missing")], [true, false])
})
