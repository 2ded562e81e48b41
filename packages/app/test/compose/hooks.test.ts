import assert from "node:assert/strict"
import { channel } from "node:diagnostics_channel"
import { test } from "node:test"
import type { Hook } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import { openSession } from "../../src/compose/open-session.ts"
import { systemClock } from "../../src/ports.ts"
import { servicesOf } from "./services.ts"

test("[HOOK-5.1] hooks of the program are called, and events are published on the channels gong.*", async (t) => {
  const called: string[] = []
  const hooks: readonly Hook[] = [
    { name: "a", onInput: async (text) => (called.push(text), { answer: "passthrough" }) },
  ]
  const heard: unknown[] = []
  const listen = (event: unknown): void => void heard.push(event)
  const agent = channel("gong.agent.start")
  agent.subscribe(listen)
  t.after(() => agent.unsubscribe(listen))
  const provider = scriptedProvider([{ text: "hi" }], { clock: systemClock })
  const built = await openSession({ tape: { kind: "memory" }, bare: true, sandbox: "off" }, servicesOf(t), {
    provider,
    hooks,
  })
  assert.ok(built.ok)
  await built.value.session.prompt("hello")
  await built.value.shutdown()
  assert.deepEqual(called, ["hello"])
  assert.deepEqual(heard, [{ event: "agent.start", session_id: built.value.session.id, prompt: "hello" }])
})

test("[HOOK-S.06] a hook can cancel a fork", async (t) => {
  const world = servicesOf(t)
  const spec = { bare: true, sandbox: "off" } as const
  const provider = scriptedProvider([{ text: "hi" }], { clock: systemClock })
  const first = await openSession(spec, world, { provider })
  assert.ok(first.ok)
  await first.value.session.prompt("hello")
  const { id } = first.value.session
  const fork = { ...spec, tape: { kind: "fork", session: id } } as const
  await first.value.shutdown()
  const asked: unknown[] = []
  const no: Hook = { name: "no", beforeSessionOp: async (op, meta) => (asked.push(op, meta), { answer: "cancel" }) }
  const forked = await openSession(fork, world, { provider, hooks: [no] })
  assert.deepEqual(!forked.ok && forked.error.lines, [`gong: --fork ${id}: not forked: cancelled by a hook.`])
  assert.deepEqual(asked, ["fork", { session: id }])
  const free = await openSession(fork, world, { provider })
  assert.ok(free.ok)
  assert.notEqual(free.value.session.id, id)
  await free.value.shutdown()
})
