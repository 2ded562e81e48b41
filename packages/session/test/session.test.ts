import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError, textOf, type PublishedStep } from "@gong/spec"
import { scriptedModel } from "@gong/llm/scripted"
import { pending } from "@gong/tape"
import { settle } from "@gong/testing/sim/clock"
import { gate, place, start, tool } from "./world.ts"

const call = (name: string, args: Readonly<Record<string, unknown>> = {}) => ({
  calls: [{ name, arguments: args }],
})

test("[AGENT-3.1] [AGENT-S.04] a prompt becomes an input on the tape and a message in the loop's first request", async () => {
  const { session, asked, tape } = await start(place(), { script: [{ text: "hello" }] })
  assert.equal((await session.prompt("hi there")).status, "done")
  assert.deepEqual(asked[0]?.map(textOf), ["hi there"])
  const entries = tape.entriesOfBranch()
  const input = entries.find((entry) => entry.type === "input")
  const message = entries.find((entry) => entry.type === "message")
  assert.deepEqual([input?.kind, input?.text, input?.source], ["prompt", "hi there", "user"])
  assert.equal(message?.inputId, input?.id)
})

test("[AGENT-1.7] [AGENT-4.1] a second prompt is refused as busy, and the first one ends as if nothing had been", async () => {
  const hold = gate()
  const slow = tool("slow", async () => {
    await hold.opened
    return "done"
  })
  const { session, asked, tape } = await start(place(), {
    tools: () => [slow],
    script: [call("slow"), { text: "end" }],
  })
  const first = session.prompt("one")
  await settle()
  assert.equal(session.running, true)
  await assert.rejects(session.prompt("two"), (error) => {
    assert.ok(error instanceof FailureError)
    assert.match(error.failure.message, /busy/)
    assert.match(error.failure.hint ?? "", /steer or follow_up/)
    return true
  })
  hold.open()
  assert.equal((await first).status, "done")
  assert.equal(asked.length, 2)
  assert.equal(tape.entriesOfBranch().filter((entry) => entry.type === "input").length, 1)
  assert.equal(
    (await session.prompt("three")).status,
    "failed",
    "the script is over: but the session takes a prompt again",
  )
})

test("[AGENT-S.34] [BDD-AGENT-032] steer returns at once with the input on the tape, and is injected before the next request", async () => {
  const hold = gate()
  const slow = tool("slow", async () => {
    await hold.opened
    return "done"
  })
  const { session, asked, tape } = await start(place(), {
    tools: () => [slow],
    script: [call("slow"), { text: "end" }],
  })
  const run = session.prompt("go")
  await settle()
  const id = await session.steer("look left")
  assert.equal(session.running, true)
  assert.equal(tape.entry(id)?.type, "input")
  assert.deepEqual([...tape.follow(pending).value.keys()], [id])
  hold.open()
  await run
  assert.deepEqual(asked[1]?.map(textOf), ["go", "", "done", "look left"])
  assert.equal(tape.follow(pending).value.size, 0)
})

test("[AGENT-F.3] [AGENT-S.27] queued input is sent in the order of its acceptance, follow-ups after steering", async () => {
  const { session, asked } = await start(place(), {
    script: [{ text: "one" }, { text: "two" }, { text: "three" }],
  })
  const sent: Promise<string>[] = []
  const once = session.subscribe((step) => {
    if (!("partial" in step)) return
    once()
    sent.push(session.followUp("after"))
    sent.push(session.steer("first"))
    sent.push(session.steer("second"))
  })
  assert.equal((await session.prompt("go")).status, "done")
  await Promise.all(sent)
  const users = asked.at(-1)?.filter((message) => message.role === "user")
  assert.deepEqual(users?.map(textOf), ["go", "first", "second", "after"])
})

test("what waits goes in all at once or one after the other, as each queue is set", async () => {
  for (const [steer, followUp, expected] of [
    ["all", "one", [["s1", "s2"], ["f1"], ["f2"]]],
    ["one", "all", [["s1"], ["s2"], ["f1", "f2"]]],
  ] as const) {
    const { session, asked } = await start(place(), {
      script: Array.from({ length: 4 }, () => ({ text: "ok" })),
      queue: { steer, followUp },
    })
    const sent: Promise<string>[] = []
    const once = session.subscribe((step) => {
      if (!("partial" in step)) return
      once()
      for (const text of ["f1", "f2"]) sent.push(session.followUp(text))
      for (const text of ["s1", "s2"]) sent.push(session.steer(text))
    })
    assert.equal((await session.prompt("go")).status, "done")
    await Promise.all(sent)
    const texts = asked.map((messages) => messages.filter(({ role }) => role === "user").map(textOf))
    assert.deepEqual(
      texts.slice(1).map((now, index) => now.slice(texts[index]?.length)),
      expected,
    )
  }
})

test("[AGENT-S.27] a full queue refuses with a reason, and its content is not lost", async () => {
  const { session, asked } = await start(place(), { script: [{ text: "end" }] })
  for (let index = 0; index < 100; index++) await session.steer(`s${index}`)
  await assert.rejects(session.steer("one too many"), { name: "FailureError", message: /100 messages wait/ })
  await session.prompt("go")
  assert.equal(asked[0]?.length, 101)
})

test("[AGENT-S.33] a prompt with tools and follow-ups resolves once, after the last of them, however long it takes", async () => {
  const hold = gate()
  const where = place()
  const slow = { ...tool("slow", () => hold.opened.then(() => "done")), keepsTime: true }
  const { session, entries } = await start(where, {
    tools: () => [slow],
    script: [call("slow"), { text: "one" }, { text: "two" }, { text: "three" }],
  })
  let resolved = 0
  const run = session.prompt("go").finally(() => (resolved += 1))
  await settle()
  for (const text of ["a", "b"]) await session.followUp(text)
  await where.clock.advance(24 * 3600 * 1000)
  assert.equal(resolved, 0)
  hold.open()
  assert.deepEqual(await run, { status: "done", turns: 4 })
  assert.equal(entries().filter((entry) => entry.type === "run_end").length, 1)
  assert.equal(resolved, 1)
})

test("[AGENT-1.5] a follow-up keeps the context and the run ends once, after it", async () => {
  const { session, asked, entries } = await start(place(), { script: [{ text: "4" }, { text: "5" }] })
  const sent: Promise<string>[] = []
  const once = session.subscribe((step) => {
    if (!("partial" in step)) return
    once()
    sent.push(session.followUp("and one more?"))
  })
  const end = await session.prompt("2+2?")
  await Promise.all(sent)
  assert.deepEqual([end.status, end.turns], ["done", 2])
  assert.deepEqual(asked[1]?.map(textOf), ["2+2?", "4", "and one more?"])
  assert.equal(entries().filter((entry) => entry.type === "run_end").length, 1)
})

test("[AGENT-S.15] [HOOK-S.25] every subscriber gets every step in one order; an error in one does not affect the others", async () => {
  const { session, steps } = await start(place({ files: { "/work/a.txt": "alpha\n" } }), {
    script: [call("read", { path: "a.txt" }), { text: "it says alpha" }],
    deltaSize: 3,
  })
  const seen: PublishedStep[] = []
  const left: PublishedStep[] = []
  session.subscribe(() => {
    throw new Error("a bad subscriber")
  })
  const unsubscribe = session.subscribe((step) => left.push(step))
  session.subscribe((step) => seen.push(step))
  session.subscribe((step) => {
    // Publishes a step from within a listener: other listeners must still see both in one order.
    if ("partial" in step && step.partial.type === "start" && seen.length < 10) session.notify(note("inside"))
  })
  session.notify(note("before"))
  unsubscribe()
  assert.equal((await session.prompt("read a.txt")).status, "done")
  assert.deepEqual(seen, steps)
  assert.equal(left.length, 1)
  assert.ok(seen.length > 10)
})

const note = (text: string) => ({ code: "waiting", level: "info", text }) as const

test("a step that a subscriber causes reaches later subscribers after the step that caused it", async () => {
  const { session } = await start(place(), { script: [{ text: "hi" }] })
  const order: string[] = []
  session.subscribe((step) => {
    if ("notification" in step && step.notification.code === "waiting" && step.notification.text === "ping")
      session.notify(note("pong"))
  })
  session.subscribe((step) => {
    if ("notification" in step && step.notification.code === "waiting") order.push(step.notification.text)
  })
  session.notify(note("ping"))
  assert.deepEqual(order, ["ping", "pong"])
})

test("[AGENT-1.6] abort ends the run as interrupted, answers every call, and what waits stays in the queue", async () => {
  const { session, tape, asked } = await start(place(), {
    tools: () => [
      tool(
        "hang",
        (_, { signal }) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
      ),
    ],
    script: [{ calls: [{ name: "hang" }, { name: "hang" }] }, { text: "later" }, { text: "last" }],
  })
  const run = session.prompt("go")
  await settle()
  await session.followUp("then this")
  session.abort()
  assert.equal((await run).status, "interrupted")
  const results = tape
    .entriesOfBranch()
    .flatMap((entry) => (entry.type === "message" && entry.message.role === "tool" ? entry.message.status : []))
  assert.deepEqual(results, ["aborted", "aborted"])
  assert.equal(asked.length, 1)
  assert.equal(tape.follow(pending).value.size, 1)
  assert.equal((await session.prompt("again")).status, "done")
  assert.equal(tape.follow(pending).value.size, 0, "the follow-up was taken by the next run")
})

test("an abort with nothing running does nothing", async () => {
  const { session } = await start(place(), { script: [{ text: "hi" }] })
  session.abort()
  assert.equal((await session.prompt("go")).status, "done")
})

test("a steer that comes with the last words of a reply is answered before the run ends", async () => {
  const { session, asked } = await start(place(), { script: [{ text: "bye" }, { text: "as you say" }] })
  const sent: Promise<string>[] = []
  const once = session.subscribe((step) => {
    if (
      !("entries" in step) ||
      !step.entries.some((entry) => entry.type === "message" && entry.message.role === "assistant")
    )
      return
    once()
    sent.push(session.steer("wait"))
  })
  await session.prompt("go")
  await Promise.all(sent)
  assert.deepEqual(asked[1]?.map(textOf), ["go", "bye", "wait"])
})

test("[AGENT-F.6] the result of a prompt can be awaited later", async () => {
  const { session } = await start(place(), { script: [{ text: "done" }] })
  const run = session.prompt("go")
  await settle()
  assert.equal(session.running, false)
  assert.deepEqual(await run, { status: "done", turns: 1 })
})

test("[AGENT-F.7] several sessions run at once, each its own, found by their ids", async () => {
  const where = place({ files: { "/work/a.txt": "A", "/work/b.txt": "B" } })
  const all = await Promise.all(
    ["a", "b"].map((id) => start(where, { id, script: [call("read", { path: `${id}.txt` }), { text: `end ${id}` }] })),
  )
  await Promise.all(all.map(({ session }) => session.prompt(`read ${session.id}`)))
  const byId = new Map(all.map((one) => [one.session.id, one]))
  for (const id of ["a", "b"]) {
    const messages = byId
      .get(id)
      ?.tape.entriesOfBranch()
      .flatMap((entry) => (entry.type === "message" ? textOf(entry.message) : []))
    assert.deepEqual(messages, [`read ${id}`, "", id.toUpperCase(), `end ${id}`])
  }
})

test("[AGENT-F.1] a closed session leaves no lock and no timer", async () => {
  const where = place()
  const { session, tape } = await start(where, { script: [{ text: "hi" }] })
  await session.prompt("go")
  assert.notEqual(where.disk.stat("/sessions/s1/lock"), null)
  tape.close()
  assert.equal(where.disk.stat("/sessions/s1/lock"), null)
  assert.equal(where.clock.waiting, 0)
})

test("a hook may take the input for itself: then nothing runs and nothing is stored", async () => {
  const { session, asked, tape } = await start(place(), {
    script: [],
    hooks: [{ name: "taker", onInput: async () => ({ answer: "handled" }) }],
  })
  const before = tape.entriesOfBranch().length
  assert.deepEqual(await session.prompt("/mine"), { status: "done", turns: 0 })
  assert.equal(asked.length, 0)
  assert.equal(tape.entriesOfBranch().length, before)
  assert.equal(session.running, false)
})

test("[BASH-5.7] a gate prevents a command, and the model gets its reason", async () => {
  const run: string[] = []
  const where = place({ exec: async (command) => (run.push(String(command)), { code: 0, signal: null }) })
  const reason = "危险命令需要确认"
  const { session, entries } = await start(where, {
    script: [
      { calls: [{ name: "bash", arguments: { command: "rm -rf /" } }] },
      { calls: [{ name: "bash", arguments: { command: "ls" } }] },
      { text: "so not" },
    ],
    hooks: [
      {
        name: "careful",
        beforeToolCall: async ({ arguments: { command } }) =>
          String(command).startsWith("rm") ? { answer: "block", reason } : { answer: "ok" },
      },
    ],
  })
  assert.equal((await session.prompt("clean up")).status, "done")
  assert.deepEqual(run, ["ls"])
  const results = entries().flatMap((one) =>
    one.type === "message" && one.message.role === "tool" ? [one.message] : [],
  )
  assert.deepEqual(
    [textOf(results[0] ?? { content: [] }), results[0]?.isError, results[0]?.status],
    [`Refused: ${reason}. Nothing was run.`, true, "refused"],
  )
})

test("after 15 s of silence the user sees which provider the session waits for", async () => {
  const where = place()
  const { session, steps } = await start(where, {
    retry: { count: 0, baseMs: 1000, random: () => 0 },
    queue: { steer: "all", followUp: "one" },
    provider: {
      model: scriptedModel,
      async *stream(ask) {
        yield { type: "start", draftId: ask.draftId, model: { provider: "scripted", id: "script", api: "scripted" } }
        await where.clock.sleep(40_000)
        return { ok: false, failure: { kind: "stalled", message: "silent", retryable: true }, partial: null }
      },
    },
  })
  const run = session.prompt("go")
  await where.clock.advance(40_000)
  assert.equal((await run).status, "failed")
  const waits = steps.flatMap((step) =>
    "notification" in step && step.notification.code === "waiting" ? [step.notification.text] : [],
  )
  assert.deepEqual(waits, ["waiting for scripted ... 15 s", "waiting for scripted ... 30 s"])
  await where.clock.advance(60_000)
  assert.equal(steps.filter((step) => "notification" in step).length, 2, "nobody is waited for after the end")
})
