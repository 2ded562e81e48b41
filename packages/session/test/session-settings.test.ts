import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError } from "@gong/spec"
import { scriptedProvider } from "@gong/llm/scripted"
import { gate, onDisk, place, type Running, start, tool } from "./world.ts"

const kindOf = (error: unknown): string => (error instanceof FailureError ? error.failure.kind : String(error))

/** A session whose run is blocked in a tool until released. */
async function inRun(): Promise<{ readonly running: Running; readonly end: () => Promise<unknown> }> {
  const [entered, leave] = [gate(), gate()]
  const waits = tool("wait", async () => {
    entered.open()
    await leave.opened
    return "waited"
  })
  const script = [{ calls: [{ name: "wait", arguments: {} }] }, { text: "done" }]
  const running = await start(place(), { script, tools: () => [waits] })
  const run = running.session.prompt("go")
  await entered.opened
  const end = async (): Promise<unknown> => {
    leave.open()
    return run
  }
  return { running, end }
}

test("[AGENT-S.21] a model selection holds from the next run on, is written at once, and is refused during a run", async () => {
  const where = place()
  const first = await start(where, { script: [{ text: "one" }] })
  await first.session.prompt("first")
  const other = scriptedProvider([{ text: "two" }], { clock: where.clock })
  const provider = { ...other, model: { ...other.model, provider: "elsewhere", id: "other" } }
  first.session.selectModel({ provider, thinking: "high" })
  first.session.selectModel({ thinking: "high" })
  const added = first
    .entries()
    .slice(-2)
    .map(({ type }) => type)
  assert.deepEqual(added, ["model_change", "thinking_level_change"], "and what does not change is not written")
  assert.deepEqual(first.session.selection.provider.model.id, "other")
  await first.session.prompt("second")
  const replies = first
    .entries()
    .flatMap((entry) => (entry.type === "message" && entry.message.role === "assistant" ? [entry.message.content] : []))
  assert.deepEqual(
    replies.flat().map((block) => "text" in block && block.text),
    ["one", "two"],
  )
  const changes = onDisk(where).filter(({ type }) => type === "model_change")
  assert.equal(changes.length, 2, "the run did not choose it again")

  const { running, end } = await inRun()
  assert.throws(
    () => running.session.selectModel({ thinking: "low" }),
    (error) => kindOf(error) === "denied",
  )
  assert.throws(
    () => running.session.checkout(running.tape.leaf ?? "", ""),
    (error) => kindOf(error) === "denied",
  )
  await end()
  running.session.selectModel({ thinking: "low" })
})

test("a session continues from another step, and reports an unknown one", async () => {
  const { session, entries, asked } = await start(place(), {
    script: [{ text: "one" }, { text: "two" }, { text: "three" }],
  })
  await session.prompt("first")
  const [end = ""] = entries()
    .filter(({ type }) => type === "run_end")
    .map(({ id }) => id)
  await session.prompt("second")
  session.checkout(end, "")
  await session.prompt("instead")
  const texts = (asked.at(-1) ?? []).map(({ content }) =>
    content.map((block) => "text" in block && block.text).join(""),
  )
  assert.deepEqual(texts, ["first", "one", "instead"])
  assert.throws(
    () => session.checkout("nowhere", ""),
    (error) => kindOf(error) === "bad-request",
  )
  assert.throws(
    () => session.annotate({ type: "label", targetId: "nowhere", label: "x" }),
    (error) => kindOf(error) === "bad-request",
  )
})

test("a dequeued message never reaches the model, and a resumed session does not have it", async () => {
  const { running, end } = await inRun()
  const { session, asked } = running
  const kept = await session.followUp("keep this")
  const taken = await session.followUp("not this")
  assert.deepEqual(await session.dequeue(taken), [{ id: taken, text: "not this" }])
  assert.deepEqual(await session.dequeue(taken), [])
  assert.deepEqual(session.waiting, { steer: [], followUp: [{ id: kept, text: "keep this" }] })
  await end()
  const sent = JSON.stringify(asked)
  assert.deepEqual([sent.includes("keep this"), sent.includes("not this")], [true, false])
  const drops = running.entries().flatMap((entry) => (entry.type === "input_drop" ? [entry.inputId] : []))
  assert.deepEqual(drops, [taken])
})

test("a command of the user's own is in the model's next request, keys taken out, and nothing runs beside it", async () => {
  const where = place()
  const [entered, leave] = [gate(), gate()]
  const bash = tool("bash", async ({ command }, context) => {
    entered.open()
    await leave.opened
    context.onProgress("the key is sk-secret-key")
    return `ran ${String(command)}: sk-secret-key`
  })
  const execute: typeof bash.execute = async (...given) => ({
    ...(await bash.execute(...given)),
    details: { seen: ["sk-secret-key"] },
  })
  const redact = (text: string): string => text.replaceAll("sk-secret-key", "[redacted]")
  const { session, asked, steps } = await start(where, {
    script: [{ text: "seen" }],
    bash: { ...bash, execute },
    redact,
  })
  const running = session.command({ command: "say" })
  await entered.opened
  assert.equal(session.running, true)
  await assert.rejects(session.prompt("now"), (error) => kindOf(error) === "denied")
  leave.open()
  const end = await running
  assert.deepEqual([end.status, end.output, end.details], ["ok", "ran say: [redacted]", { seen: ["[redacted]"] }])
  const progress = steps.flatMap((step) =>
    "partial" in step && step.partial.type === "progress" ? [step.partial] : [],
  )
  assert.deepEqual(progress, [{ type: "progress", callId: end.callId, delta: "the key is [redacted]" }])
  await session.prompt("what did I do?")
  assert.match(JSON.stringify(asked[0]), /The user ran a command:\\n\$ say\\n\\nran say: \[redacted\]/)
  assert.equal(JSON.stringify(onDisk(where)).includes("sk-secret-key"), false)
})

test("a session without tools runs no command", async () => {
  const { session } = await start(place(), {})
  await assert.rejects(session.command({ command: "ls" }), (error) => kindOf(error) === "bad-request")
  assert.equal(session.running, false)
})

test("a name and a label are written and published, also during a run", async () => {
  const { running, end } = await inRun()
  const [first] = running.entries()
  running.session.annotate({ type: "session_info", name: "mine" })
  running.session.annotate({ type: "label", targetId: first?.id ?? "", label: "here" })
  const written = running.entries().flatMap((entry) => {
    if (entry.type === "session_info") return [entry.name]
    return entry.type === "label" ? [entry.label] : []
  })
  assert.deepEqual(written, ["mine", "here"])
  await end()
})

test("an operation may be left to a hook, which gives the reason of its refusal", async () => {
  for (const [answer, expected] of [
    [{ answer: "ok" }, null],
    [{ answer: "block", reason: "not now" }, "not now"],
  ] as const) {
    const asked: unknown[] = []
    const hook = {
      name: "g",
      beforeSessionOp: async (...given: readonly unknown[]) => {
        asked.push(given.slice(0, 2))
        return answer
      },
    }
    const { session } = await start(place(), { hooks: [hook] })
    assert.equal(await session.mayLeave("fork", { at: "e1" }), expected)
    assert.deepEqual(asked, [["fork", { at: "e1" }]])
  }
})

test("what the reload of templates reports is shown before the run; a text that they refuse begins none", async () => {
  const notification = { code: "skill", level: "warn", text: "a skill is left out" } as const
  const expander = {
    refresh: async () => [notification],
    expand: (text: string) =>
      text === "/no"
        ? ({ ok: false, failure: failure("bad-request", "no such template") } as const)
        : ({ ok: true, text: `expanded ${text}` } as const),
    skillAt: () => null,
  }
  const { session, steps, asked } = await start(place(), { script: [{ text: "done" }], expander })
  const refused = await session.prompt("/no")
  assert.deepEqual([refused.status, refused.turns, refused.failure?.message], ["failed", 0, "no such template"])
  assert.equal(session.running, false)
  assert.deepEqual(
    steps.filter((step) => "notification" in step && step.notification.code === "skill"),
    [{ notification }],
  )
  await session.prompt("go")
  assert.match(JSON.stringify(asked[0]), /expanded go/)
})
