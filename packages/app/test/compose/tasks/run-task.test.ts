import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { type Hook, type Message, phrase, textOf } from "@gong/spec"
import { context } from "@gong/tape"
import { scriptedProvider, type ScriptedStep, type ScriptedTurn } from "@gong/llm/scripted"
import { openSession } from "../../../src/compose/open-session.ts"
import { systemClock } from "../../../src/ports.ts"
import { servicesOf } from "../services.ts"

const task = (prompt: string): ScriptedTurn => ({
  calls: [{ name: "task", arguments: { prompt, description: prompt } }],
})
const ls: ScriptedTurn = { calls: [{ name: "ls", arguments: {} }] }

/** A session with the tool for tasks, whose tasks take their replies from the same script. */
async function scripted(t: TestContext, turns: readonly ScriptedStep[], hooks: readonly Hook[] = []) {
  const provider = scriptedProvider([...turns], { clock: systemClock })
  const spec = { permission: "full", sandbox: "off", bare: true, tools: "+task" } as const
  const opened = await openSession(spec, servicesOf(t), { provider, hooks })
  assert.ok(opened.ok, opened.ok ? "" : opened.error.lines.join())
  const { session, shutdown } = opened.value
  t.after(() => shutdown())
  return { provider, session }
}

/** The results of the calls of this session. */
function resultsOf(messages: readonly Message[]): readonly string[] {
  return messages.filter(({ role }) => role === "tool").map((message) => textOf(message as never))
}

test("the 21st task of a run is not begun", async (t) => {
  const turns = Array.from({ length: 20 }, (_, at) => [task(`${at}`), { text: "Fine." }]).flat()
  const { provider, session } = await scripted(t, [...turns, task("one more"), { text: "Done." }])
  assert.equal((await session.prompt("go")).status, "done")
  const results = resultsOf(provider.requests.at(-1)?.messages ?? [])
  assert.equal(results.length, 21)
  assert.match(results[19] ?? "", /^Fine\.\n\n\[task /)
  assert.equal(results[20], "Not begun: this run has had 20 tasks already. Do the rest yourself, or sum up.")
})

test("a task has the hooks for calls, and none for prompts and ends of runs", async (t) => {
  const called: string[] = []
  const record = <A>(what: string, answer: A) => {
    called.push(what)
    return Promise.resolve(answer)
  }
  const hooks: readonly Hook[] = [
    {
      name: "all",
      onInput: (text) => record(`input ${text}`, { answer: "passthrough" }),
      beforeToolCall: ({ tool }) => record(`call ${tool}`, { answer: "ok" }),
      beforeStop: () => record("stop", { answer: "ok" }),
    },
    { name: "results", onToolResult: ({ tool }) => record(`result ${tool}`, undefined) },
    { name: "context files", beforeToolCall: () => record("not in a task", { answer: "ok" }) },
    { name: "input alone", onInput: () => record("input", { answer: "passthrough" }) },
  ]
  const { session } = await scripted(t, [task("look"), ls, { text: "Seen." }, { text: "Done." }], hooks)
  assert.equal((await session.prompt("go")).status, "done")
  const inTask = called.slice(called.indexOf("call ls"), called.lastIndexOf("result ls") + 1)
  assert.deepEqual(inTask, ["call ls", "result ls"])
  assert.deepEqual(
    ["input go", "input", "call task", "not in a task", "result task", "stop"].map(
      (what) => called.filter((one) => one === what).length,
    ),
    [1, 1, 1, 1, 1, 1],
  )
  assert.equal(called.length, 8)
})

test("a call of a task that a hook refuses is counted in its result", async (t) => {
  const no: Hook = {
    name: "no",
    beforeToolCall: async ({ tool }) => (tool === "ls" ? { answer: "block", reason: phrase`no` } : { answer: "ok" }),
  }
  const { provider, session } = await scripted(t, [task("look"), ls, { text: "Seen." }, { text: "Done." }], [no])
  await session.prompt("go")
  const [result = ""] = resultsOf(provider.requests.at(-1)?.messages ?? [])
  assert.match(result, /^Seen\.\n\n\[task \S+: 2 turns, 1 tool call, 1 refused\]$/)
})

test("a task is stopped with its run", async (t) => {
  const { provider, session } = await scripted(t, [
    task("look"),
    () => {
      session.abort()
      return { text: "Never." }
    },
  ])
  assert.equal((await session.prompt("go")).status, "interrupted")
  assert.equal(provider.requests.length, 2)
  const [result = ""] = resultsOf(session.history.follow(context).value.messages)
  assert.match(result, /^The task was stopped\. What it said last:/)
})
