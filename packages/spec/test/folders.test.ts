import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { libraryFolders, ownFolder, projectFolders, userFolders, userLibraryFolders } from "../src/folders.ts"

const packages = join(import.meta.dirname, "../..")

/** A name of a folder as a part of a path, in code: comments may speak of it, and so may texts in other languages. */
const name = /(["'`/])\.(?:gong|pi|agents|claude)(?=["'`/])/
const comment = /^\s*(?:\/\/|\/?\*)/

test("[RES-6] one file holds the names of the configuration and agent folders; no other but the launcher spells one", () => {
  const files = globSync(["*/src/**/*.ts", "gong/bin/*"], { cwd: packages })
  const spelled = files.filter((file) => {
    const lines = readFileSync(join(packages, file), "utf8").split("\n")
    return lines.some((line) => !comment.test(line) && name.test(line))
  })
  const translations = /^texts\/src\/zh-CN\//
  assert.ok(files.length > 300, `${files.length} files were looked at`)
  assert.deepEqual(
    spelled.filter((file) => !translations.test(file)),
    // The launcher looks for one file there before anything is loaded.
    ["spec/src/folders.ts", "gong/bin/gong.js"],
  )
})

test("[RES-6] from these names come all places, Gong's own first", () => {
  assert.equal(ownFolder, ".gong")
  assert.deepEqual(projectFolders, [".gong", ".pi"])
  assert.deepEqual(libraryFolders, [".gong", ".pi", ".agents", ".claude"])
  assert.deepEqual(userFolders("/h/.gong", "/h"), ["/h/.gong", "/h/.pi/agent"])
  assert.deepEqual(userLibraryFolders("/g", "/h"), ["/g", "/h/.pi/agent", "/h/.agents", "/h/.claude"])
})
