import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { openStage, type Stage } from "./harness.ts"
import { startRpc } from "./rpc-client.ts"
import { leave, openTerminal, say, skip } from "./terminal.ts"

const answering = { otherwise: { text: "Right." } }

/** The user's own gate: as a command of the settings, and as an extension. */
const gates: Readonly<Record<string, (stage: Stage) => void>> = {
  "a hook of the settings": (stage) => {
    const command = `cat >> ${join(stage.root, "asked")}; echo stay here >&2; exit 2`
    const hooks = { PreSwitch: [{ matcher: "*", hooks: [{ type: "command", command }] }] }
    stage.write({ [`${stage.gongHome}/settings.json`]: JSON.stringify({ hooks }) })
  },
  "an extension": (stage) => {
    const gate = `export default (gong) => gong.hook({
      beforeSessionOp: (op, meta) => op === "switch" ? { answer: "cancel", reason: "stay here" } : null })\n`
    stage.write({ [`${stage.gongHome}/extensions/stay.mjs`]: gate })
  },
}

for (const [name, put] of Object.entries(gates)) {
  test(`[HOOK-S.07] ${name} refuses a session switch of an rpc client`, async (t) => {
    const stage = await openStage(t, answering)
    const other = await stage.gong(["-p", "first"])
    assert.equal(other.status, 0, other.err)
    const [stored = ""] = stage.sessions()
    put(stage)
    const client = startRpc(t, stage)
    const { id } = await client.event("session")
    for (const [command, args] of [
      ["switch_session", { session: stored }],
      ["new_session", {}],
    ] as const) {
      const { code, message } = await client.refused(command, args)
      assert.deepEqual([code, message], ["busy", "A hook blocked it: stay here"])
    }
    await client.request("prompt", { text: "second" })
    assert.equal((await client.event("result")).session, id, "it goes on in its own session")
    client.close()
    assert.equal((await client.ended).status, 0)
    if (name === "an extension") return
    const [first = ""] = readFileSync(join(stage.root, "asked"), "utf8").split("\n")
    const { target, target_session, hook_event_name } = JSON.parse(first) as Record<string, unknown>
    assert.deepEqual([hook_event_name, target, target_session], ["PreSwitch", "resume", stored])
  })

  test(`[HOOK-S.07] ${name} refuses /resume and /new in a conversation`, { skip }, async (t) => {
    const stage = await openStage(t, answering)
    await stage.gong(["-p", "first"])
    const [stored = ""] = stage.sessions()
    put(stage)
    const terminal = openTerminal(t, stage, [])
    await say(terminal, "second", "Right.")
    await say(terminal, `/resume ${stored}`, "a hook blocked it: stay here")
    await say(terminal, "/new", "a hook blocked it: stay here")
    await say(terminal, "third", "Right.")
    await leave(terminal)
    assert.equal(stage.sessions().length, 2)
    assert.equal(stage.entries(stored).filter(({ type }) => type === "input").length, 1)
  })
}
