import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { bundleKey, isFresh, keyFile } from "../bundle-key.mjs"

const sources = [
  "packages/a/src/deep/main.ts",
  "packages/a/src/text.md",
  "packages/a/package.json",
  "package-lock.json",
  "scripts/build.mjs",
]

test("a bundle is stale when a source, a dependency or the build has changed, gone or come, and when it is of another entry", (t) => {
  const checkout = mkdtempSync(join(tmpdir(), "gong-bundle-"))
  t.after(() => rmSync(checkout, { recursive: true }))
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    writeFileSync(join(checkout, path), text)
  }
  for (const path of sources) put(path, "one")
  assert.equal(isFresh(checkout, checkout), false, "nothing was built")
  put(keyFile, bundleKey("packages/a/src/deep/main.ts", checkout))
  assert.equal(isFresh(checkout, checkout), false, "of another entry")
  put(keyFile, bundleKey(undefined, checkout))
  assert.equal(isFresh(checkout, checkout), true)
  for (const path of sources) {
    put(path, "two")
    assert.equal(isFresh(checkout, checkout), false, path)
    put(path, "one")
  }
  put("packages/b/src/new.ts", "one")
  assert.equal(isFresh(checkout, checkout), false, "a new file")
  rmSync(join(checkout, "packages/b"), { recursive: true })
  assert.equal(isFresh(checkout, checkout), true, "as it was")
  put("packages/a/test/main.test.ts", "one")
  assert.equal(isFresh(checkout, checkout), true, "a test is no source")
})
