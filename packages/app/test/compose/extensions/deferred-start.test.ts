import assert from "node:assert/strict"
import { test } from "node:test"
import { type Hook, phrase } from "@gong/spec"
import type { ExtensionHost } from "@gong/extensions/host/host"
import type { Registrations } from "@gong/extensions/protocol"
import {
  deferredStart,
  earlyExtensions,
  loadedEarly,
  sameRegistrations,
} from "../../../src/compose/extensions/deferred-start.ts"

const nothing: Registrations = {
  tools: [],
  commands: [],
  hooks: [],
  providers: [],
  renderers: [],
  events: [],
  resources: { skills: [], prompts: [], themes: [] },
}

function withHook(...callbacks: readonly string[]): Registrations {
  return { ...nothing, hooks: [{ callbacks }] as unknown as Registrations["hooks"] }
}

interface Made {
  readonly hook: Hook
  /** What happened, in order. */
  readonly steps: string[]
}

function made({ fails = false, observed = false, waits = false } = {}): Made {
  const steps: string[] = []
  const host = { begin: () => void steps.push("begin") } as unknown as ExtensionHost
  const settled = async () => {
    steps.push("settled")
    if (fails) throw new Error("broken")
  }
  const first = waits ? async () => void steps.push("first") : null
  return { hook: deferredStart({ host, settled, first, observed }), steps }
}

const call = {} as Parameters<NonNullable<Hook["beforeToolCall"]>>[0]

test("a tool call, the end of a run and another session start the thread and wait for all extensions", async () => {
  for (const method of ["beforeToolCall", "beforeSessionOp", "beforeStop"] as const) {
    const { hook, steps } = made()
    assert.deepEqual(await (hook[method] as (...given: readonly unknown[]) => unknown)(call), { answer: "ok" }, method)
    assert.deepEqual(steps, ["begin", "settled"], method)
  }
  const { hook } = made()
  assert.deepEqual([hook.name, hook.timeMs], ["loading extensions", 600_000])
})

test("a tool call is blocked if the extensions cannot be loaded", async () => {
  const { hook } = made({ fails: true })
  const answer = await hook.beforeToolCall?.(call, {} as never)
  assert.deepEqual(answer, { answer: "block", reason: phrase`extensions could not be loaded.` })
})

test("the first message waits only for early extensions", async () => {
  assert.equal(made().hook.onInput, undefined)
  const { hook, steps } = made({ waits: true })
  assert.deepEqual(await hook.onInput?.("x", [], {} as never), { answer: "passthrough" })
  assert.deepEqual(steps, ["first"])
})

test("the thread starts with the first request; with the end of the session only if extensions observe events", async () => {
  const started = async (event: string, observed: boolean): Promise<boolean> => {
    const { hook, steps } = made({ observed })
    await hook.watch?.({ event } as never, {} as never)
    return steps.includes("begin")
  }
  assert.deepEqual(
    [
      await started("llm.start", false),
      await started("session.shutdown", true),
      await started("session.shutdown", false),
      await started("llm.end", true),
    ],
    [true, true, false, false],
  )
})

test("an extension is early if one of its hooks acts before the first request", () => {
  const known = new Map([
    [1, nothing],
    [2, withHook("onToolResult", "onInput")],
    [3, withHook("beforeToolCall")],
    [4, withHook("onBeforeAgent")],
    [5, withHook("onContext")],
    [6, { ...nothing, hooks: [...withHook("beforeStop").hooks, ...withHook("onInput").hooks] }],
  ])
  assert.deepEqual(earlyExtensions(known), [2, 4, 5, 6])
})

test("if an early extension does not register what it is known for, the first message waits for all", async () => {
  const early = withHook("onInput")
  const known = new Map([
    [1, nothing],
    [2, early],
  ])
  const waited = async (...loaded: readonly (readonly [number, Registrations])[]): Promise<boolean> => {
    let all = false
    const asked: unknown[] = []
    const host = {
      loaded: async (ids: readonly number[]) => (asked.push(ids), new Map(loaded)),
    } as unknown as ExtensionHost
    await loadedEarly(host, known, async () => (all = true))
    assert.deepEqual(asked, [[2]])
    return all
  }
  assert.equal(await waited([2, early]), false)
  assert.equal(await waited([2, early], [1, early]), false, "those of others do not count")
  assert.equal(await waited([2, nothing]), true)
  assert.equal(await waited(), true)
})

test("registrations are compared in any order of loading", () => {
  const one = withHook("onInput")
  const [a, b] = [[1, one] as const, [2, nothing] as const]
  assert.equal(sameRegistrations(new Map([a, b]), new Map([b, a])), true)
  assert.equal(sameRegistrations(new Map([a, b]), new Map([a])), false)
  assert.equal(sameRegistrations(new Map([a]), new Map([[1, nothing]])), false)
})
