import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openStage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"

test("/reload keeps the open tape: hooks are not asked about --fork again", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "Right." } })
  await stage.gong(["-p", "first"])
  const [stored = ""] = stage.sessions()
  const file = join(stage.root, "asked")
  stage.write({
    [`${stage.gongHome}/extensions/count.mjs`]: `import { appendFileSync } from "node:fs"
      export default (gong) => gong.hook({
        beforeSessionOp: (op) => { appendFileSync(${JSON.stringify(file)}, op + "\\n"); return null } })\n`,
  })
  const client = startRpc(t, stage, ["--fork", stored])
  const { id } = await client.event("session")
  assert.deepEqual(await client.request("reload"), { session: id, resumed: true })
  assert.equal(readFileSync(file, "utf8"), "fork\n")
})

test("a stored session after one in memory stays stored after /reload: its command changes can be undone", async (t) => {
  const stage = await openStage(t, {
    turns: [{ text: "first" }, { calls: [{ name: "bash", args: { command: "touch made" } }] }, { text: "done" }],
  })
  await stage.gong(["-p", "first"])
  const [stored = ""] = stage.sessions()
  const client = startRpc(t, stage, ["--no-session", "--yolo"])
  assert.equal((await client.request("switch_session", { session: stored })).session, stored)
  assert.deepEqual(await client.request("reload"), { session: stored, resumed: true })
  await client.request("prompt", { text: "make it" })
  await client.event("result")
  assert.equal(existsSync(join(stage.repo, "made")), true)
  assert.deepEqual(
    (await client.request("undo")).restored.map((path) => path.split("/").at(-1)),
    ["made"],
  )
  assert.equal(existsSync(join(stage.repo, "made")), false)
})
