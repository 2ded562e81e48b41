import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { attackFiles, sameForAnyone, sameWithoutSandbox } from "../attack-files.mjs"

const root = join(import.meta.dirname, "../..")

function leftOut(parts: readonly string[]): readonly string[] {
  const tried = new Set(attackFiles(parts))
  return attackFiles().filter((file) => !tried.has(file))
}

const saying = (files: readonly string[], words: RegExp) =>
  files.filter((file) => words.test(readFileSync(join(root, file), "utf8")))

test("the attacks that rounds after the first leave out use no sandbox, and where the user is left out none either", () => {
  assert.deepEqual(saying(leftOut(sameWithoutSandbox), /sandbox|bwrap|gateway|unshare/i), [])
  assert.deepEqual(saying(leftOut(sameForAnyone), /uid\b|chmod|chown|umask|sudo/i), [])
})

test("each of them exists, and most files with attacks are tried in each round", () => {
  const files = attackFiles()
  for (const part of sameWithoutSandbox)
    assert.ok(
      files.some((file) => file.includes(part)),
      part,
    )
  assert.ok(leftOut(sameForAnyone).length < files.length / 2)
})
