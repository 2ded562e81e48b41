import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import type { Turn } from "@gong/testing/model-server"
import { openStage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

test("a changed settings file applies from the next message on; an invalid one changes nothing", async (t) => {
  const failing: Turn = { fault: { kind: "status", status: 500, message: "oh" } }
  const stage = await openStage(t, { otherwise: { text: "ok" } })
  const path = join(stage.gongHome, "settings.json")
  stage.write({ [path]: '{"retry": {"count": 0}}' })
  const client = startRpc(t, stage)
  const noticed = () =>
    client.lines.flatMap((line) => (line.type === "notice" && line.code === "settings" ? line.text : []))
  const ask = async () => {
    await client.request("prompt", { text: "go" })
    return client.event("result")
  }
  stage.server.begin([failing])
  assert.equal((await ask()).status, "failed")
  assert.deepEqual(noticed(), [])

  stage.write({ [path]: '{\n  // mended\n  "retry": {"count": 2, "baseMs": 1,},\n  "bash.timeout": 7\n}' })
  stage.server.begin([failing, failing, { text: "ok" }])
  assert.equal((await ask()).status, "done")
  assert.deepEqual(noticed(), [
    "settings: retry.count, retry.baseMs have changed.",
    "settings: bash.timeout has changed for new sessions.",
  ])

  stage.write({ [path]: '{"retry": {"count": "many"}}' })
  stage.server.begin([failing, { text: "ok" }])
  assert.equal((await ask()).status, "done")
  assert.equal(
    noticed().at(-1),
    `${path}:1: "retry.count" must be a number, not "many". The previous settings stay in effect.`,
  )
  assert.equal((await ask()).status, "done")
  assert.equal(noticed().length, 3, "each change is said once")
  client.close()
  await client.ended
})
