import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { type Plant, plants } from "./plants.ts"

const main = fileURLToPath(new URL("main.ts", import.meta.url))

for (const name of Object.keys(plants) as Plant[]) {
  test(`a planted bug is found within 2,000 worlds: ${name}`, () => {
    const words = ["--disable-warning=ExperimentalWarning", main, "--count", "2000", "--plant", name]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", timeout: 110_000 })
    assert.equal(status, 1, stderr)
    assert.match(stdout.split("\nagain:")[0] ?? "", plants[name].symptom)
  })
}
