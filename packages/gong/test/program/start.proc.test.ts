import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { test } from "node:test"
import { openStage } from "./harness.ts"

/** Writes down, as the process ends, which files were loaded and which modules of Node's own. */
const preload = `process.on("exit", () => {
  const loaded = { files: Object.keys(require.cache), builtins: process.moduleLoadList }
  require("node:fs").writeFileSync(process.env.LOADED, JSON.stringify(loaded))
})\n`

const skip = process.env["GONG_DIST"] === "1" ? false : "needs the bundle (npm test): Node loads more for the sources"

test(
  "a message without a tool call loads neither tool implementations nor node:fs/promises nor SQLite",
  { skip },
  async (t) => {
    const stage = await openStage(t, { otherwise: { text: "ok" } })
    writeFileSync(join(stage.root, "preload.cjs"), preload)
    const env = { NODE_OPTIONS: `--require ${join(stage.root, "preload.cjs")}`, LOADED: join(stage.root, "loaded") }
    const run = await stage.gong(["-p", "hi"], { env })
    assert.equal(run.status, 0, run.err)
    const { files, builtins } = JSON.parse(readFileSync(env.LOADED, "utf8")) as Record<"files" | "builtins", string[]>
    const chunks = files.map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, ".cjs"))
    assert.ok(chunks.includes("start.cjs"), chunks.join(" "))
    assert.deepEqual(
      chunks.filter((name) => /^(?:hands|secrets|index|sandbox|prune-caches)\.cjs$/.test(name)),
      [],
    )
    assert.deepEqual(
      builtins.filter((name) => /(?:fs\/promises|sqlite)$/.test(name)),
      [],
    )
  },
)
