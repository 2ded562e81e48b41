import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "../..")

test("[TESTKIT-6] the sources type-check and lint without a warning", () => {
  for (const [name, ...args] of [
    ["tsc", "-p", "tsconfig.json"],
    ["oxlint", "--type-aware"],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(join(root, "node_modules/.bin", name), args, {
      cwd: root,
      encoding: "utf8",
    })
    assert.equal(status, 0, `${name}: ${stdout.slice(0, 2000)}${stderr.slice(0, 500)}`)
  }
})
