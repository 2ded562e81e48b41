import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { startModelServer } from "@gong/testing/model-server"

const file = join(import.meta.dirname, "live.proc.test.ts")

/** The live tests in a process of their own; gives what node's runner counted. */
async function tier(env: Readonly<Record<string, string>>): Promise<{ passed: number; skipped: number; said: string }> {
  const { PATH = "", HOME = "", TMPDIR = "" } = process.env
  const child = spawn(process.execPath, ["--test", "--test-reporter=tap", file], {
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let said = ""
  child.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()))
  await new Promise((resolve) => child.on("close", resolve))
  const count = (word: string) => Number(new RegExp(`^# ${word} (\\d+)`, "m").exec(said)?.[1])
  return { passed: count("pass"), skipped: count("skipped"), said }
}

test("[TESTKIT-5] the live tier is left out by default, and runs against any compatible server that is named", async (t) => {
  const without = await tier({})
  assert.deepEqual([without.passed, without.skipped], [0, 4])
  assert.match(without.said, /SKIP no model: set GONG_E2E_BASE_URL/)

  const server = await startModelServer({
    turns: [
      { text: "4" },
      { calls: [{ name: "read", args: { path: "note.txt" } }] },
      { text: "The word is heron." },
      { text: "1 2 3 4 5", delta: 2 },
      { text: "OK" },
      { text: "heron" },
    ],
  })
  t.after(() => server.close())
  const named = await tier({ GONG_E2E_BASE_URL: `${server.url}/v1`, GONG_E2E_MODEL: "any" })
  assert.deepEqual([named.passed, named.skipped], [4, 0], named.said)
  assert.deepEqual(server.problems, [])
})
