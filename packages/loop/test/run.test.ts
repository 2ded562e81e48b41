import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, type Message, noUsage, textOf } from "@gong/spec"
import { aborted, texts, tool, untilAborted, world } from "./harness.ts"

const end = (world: { entries: readonly { type: string }[] }) => world.entries.at(-1)

test("[AGENT-1.1] [AGENT-S.03] [AGENT-S.04] [AGENT-S.07] a plain answer ends the run", async () => {
  const w = world([{ text: "hello" }])
  const ended = await w.go()
  assert.equal(ended.status, "done")
  assert.equal(ended.turns, 1)
  assert.deepEqual(
    w.entries.map((entry) => entry.type),
    ["message", "message", "run_end"],
  )
  assert.equal(w.asked.length, 1)
})

test("[AGENT-S.01] pending input is injected, then the context hook, the request, the calls, their results", async () => {
  const log: string[] = []
  const read = tool("read", (args) => (log.push(`run ${String(args["path"])}`), "content"), { readOnly: true })
  const see = (messages: readonly Message[]) => messages.map((message) => textOf(message) || message.role).join("|")
  const calls = [
    { id: "c1", name: "read", args: { path: "a" } },
    { id: "c2", name: "read", args: { path: "b" } },
  ]
  const w = world([{ calls }, { text: "done" }], [read], {
    hooksGiven: [{ name: "log", onContext: async (messages) => (log.push(`context ${see(messages)}`), messages) }],
  })
  const { request } = w.ports
  w.ports.request = (messages, more) => (log.push("ask"), request(messages, more))
  w.put("steer", "look left")
  await w.go()
  assert.deepEqual(log, [
    "context go|look left",
    "ask",
    "run a",
    "run b",
    "context go|look left|assistant|content|content",
    "ask",
  ])
})

test("[AGENT-1.2] a call is run, its result goes back, and the answer follows", async () => {
  const read = tool("read", (args) => `content of ${String(args["path"])}`, { readOnly: true })
  const w = world(
    [{ calls: [{ id: "c1", name: "read", args: { path: "test.txt" } }] }, { text: "it says content" }],
    [read],
  )
  await w.go()
  assert.deepEqual(
    w.entries.map((entry) => (entry.type === "message" ? entry.message.role : entry.type)),
    ["user", "assistant", "tool_start", "tool", "assistant", "run_end"],
  )
  const second = w.asked[1] ?? []
  assert.equal(second.at(-1)?.role, "tool")
  assert.deepEqual(texts(w.results()), ["content of test.txt"])
})

test("[AGENT-1.3] read and edit are called one after the other, each with its own arguments", async () => {
  const seen: string[] = []
  const note = (name: string) => tool(name, (args) => (seen.push(`${name} ${String(args["path"])}`), "ok"))
  const w = world(
    [
      { calls: [{ id: "c1", name: "read", args: { path: "a" } }] },
      { calls: [{ id: "c2", name: "edit", args: { path: "a" } }] },
      { text: "done" },
    ],
    [note("read"), note("edit")],
  )
  await w.go()
  assert.deepEqual(seen, ["read a", "edit a"])
})

test("[AGENT-1.8] the next request has the results of the previous turn, unchanged and in place", async () => {
  const read = tool("read", () => "forty-two", { readOnly: true })
  const w = world(
    [{ calls: [{ id: "c1", name: "read" }] }, { calls: [{ id: "c2", name: "read" }] }, { text: "42" }],
    [read],
  )
  await w.go()
  const [, second, third] = w.asked
  assert.deepEqual(third?.slice(0, second?.length), second)
  assert.equal(third?.[2], second?.[2])
})

test("[AGENT-S.02] [AGENT-1.5] a follow-up is taken when the inner loop ends, and the context stays", async () => {
  const w = world([{ text: "first" }, { text: "second" }])
  w.put("follow_up", "and now?")
  const ended = await w.go()
  assert.equal(ended.turns, 2)
  assert.deepEqual(
    (w.asked[1] ?? []).map((message) => textOf(message)),
    ["go", "first", "and now?"],
  )
})

test("a steer is answered before the follow-up", async () => {
  const w = world([{ text: "first" }, { text: "second" }, { text: "third" }])
  const { request } = w.ports
  w.ports.request = (messages, signal) => {
    if (w.asked.length === 0) for (const kind of ["follow_up", "steer"] as const) w.put(kind, kind)
    return request(messages, signal)
  }
  await w.go()
  const last = w.asked.map((messages) => textOf(messages.at(-1) ?? { content: [] }))
  assert.deepEqual(last, ["go", "steer", "follow_up"])
})

test("entries beside a reply, such as a change of the model, cost nothing", async () => {
  const w = world([{ text: "hello" }], [], { limits: { maxTokens: 1_000 } })
  const { request } = w.ports
  w.ports.request = async function* (messages, signal) {
    yield { entries: [{ type: "model_change", provider: "p", modelId: "m", reason: "fallback" }] }
    return yield* request(messages, signal)
  }
  assert.equal((await w.go()).status, "done")
})

test("[AGENT-S.33] the run ends once, after the last follow-up", async () => {
  const read = tool("read", () => "x", { readOnly: true })
  const w = world(
    [{ calls: [{ id: "c1", name: "read" }] }, { text: "one" }, { text: "two" }, { text: "three" }],
    [read],
  )
  w.put("follow_up", "a")
  w.put("follow_up", "b")
  await w.go()
  assert.equal(w.entries.filter((entry) => entry.type === "run_end").length, 1)
  assert.equal(end(w)?.type, "run_end")
})

test("[AGENT-S.05] a failed reply ends the run at once, and its text is kept", async () => {
  const failed = failure("bad-request", "no such model")
  const partial = {
    role: "assistant" as const,
    content: [{ type: "text" as const, text: "half" }],
    model: { provider: "test", id: "m", api: "scripted" },
    stopReason: "error" as const,
    usage: noUsage,
    cost: 0,
  }
  const w = world([{ ok: false, failure: failed, partial }])
  const ended = await w.go()
  assert.equal(ended.status, "failed")
  assert.equal(ended.failure?.kind, "bad-request")
  assert.equal(w.asked.length, 1)
  const kept = w.entries.find((entry) => entry.type === "message" && entry.message.role === "assistant")
  assert.ok(kept?.type === "message" && textOf(kept.message) === "half")
})

test("[AGENT-S.06] [AGENT-S.11] an aborted reply ends the run, and its content so far is saved without its calls", async () => {
  const partial = {
    role: "assistant" as const,
    content: [
      { type: "text" as const, text: "I was about" },
      { type: "tool_call" as const, id: "c", name: "read", arguments: {} },
    ],
    model: { provider: "test", id: "m", api: "scripted" },
    stopReason: "stop" as const,
    usage: noUsage,
    cost: 0,
  }
  const w = world([{ ok: false, failure: aborted, partial }])
  const ended = await w.go()
  assert.equal(ended.status, "interrupted")
  const [kept] = w.entries.filter((entry) => entry.type === "message" && entry.message.role === "assistant")
  assert.ok(kept?.type === "message" && kept.message.role === "assistant")
  assert.deepEqual(kept.message.content, [{ type: "text", text: "I was about" }])
  assert.equal(kept.message.stopReason, "aborted")
})

test("[AGENT-S.12] an empty aborted reply is dropped, and the run ends as aborted", async () => {
  const w = world([{ ok: false, failure: aborted, partial: null }])
  const ended = await w.go()
  assert.equal(ended.failure?.kind, "aborted")
  assert.equal(w.entries.filter((entry) => entry.type === "message").length, 1)
})

test("[AGENT-5.6] a wrong key ends the run after one request", async () => {
  const w = world([{ ok: false, failure: failure("auth", "401 invalid x-api-key"), partial: null }, { text: "never" }])
  const ended = await w.go()
  assert.equal(ended.failure?.kind, "auth")
  assert.equal(w.asked.length, 1)
  assert.ok(!w.entries.some((entry) => entry.type === "compaction"))
})

test("[AGENT-F.5] the turn limit stops the run with a clear result, after a warning for the model", async () => {
  const count = { n: 0 }
  const poll = tool("poll", () => `state ${(count.n += 1)}`)
  const turns = Array.from({ length: 9 }, (_, i) => ({ calls: [{ id: `c${i}`, name: "poll" }] }))
  const w = world(turns, [poll], { limits: { maxTurns: 5 } })
  const ended = await w.go()
  assert.deepEqual([ended.status, ended.limit, ended.turns], ["limit", "turns", 5])
  const reported = w.entries.filter((entry) => entry.type === "custom_message")
  assert.equal(reported.length, 3)
})

test("other limits: tokens and time", async () => {
  const again = { calls: [{ id: "c", name: "poll" }], tokens: 60 }
  const count = { n: 0 }
  const poll = tool("poll", () => `state ${(count.n += 1)}`)
  const tokens = await world([again, again, again], [poll], { limits: { maxTokens: 100 } }).go()
  assert.deepEqual([tokens.limit, tokens.turns], ["tokens", 2])

  const w = world(
    [again, again, again],
    [tool("poll", async () => (await w.clock.advance(600), `at ${w.clock.now()}`))],
    {
      limits: { maxTime: 1_000 },
    },
  )
  const time = await w.go()
  assert.deepEqual([time.limit, time.turns], ["time", 2])
})

test("before cost, tokens or time end a run, the model is warned once", async () => {
  let n = 0
  const poll = tool("poll", () => `state ${(n += 1)}`)
  const turns = Array.from({ length: 12 }, (_, i) => ({ calls: [{ id: `c${i}`, name: "poll" }], tokens: 10 }))
  const w = world(turns, [poll], { limits: { maxTokens: 100 } })
  const ended = await w.go()
  assert.deepEqual([ended.limit, ended.turns], ["tokens", 10])
  const reported = w.entries.filter((entry) => entry.type === "custom_message")
  assert.deepEqual(
    reported.map((entry) => textOf(entry)),
    [
      "80 % of what this run may use is used (tokens). Finish now: put things in order and say what is done and what is not.",
    ],
  )
})

test("the cost of failed attempts counts for the limits", async () => {
  const again = { calls: [{ id: "c", name: "poll" }], tokens: 10 }
  let n = 0
  const w = world([again, again, again], [tool("poll", () => `state ${(n += 1)}`)], { limits: { maxTokens: 50 } })
  const { request } = w.ports
  w.ports = {
    ...w.ports,
    async *request(messages, signal) {
      const usage = { ...noUsage, output: 30 }
      yield { entries: [{ type: "model_call", purpose: "turn", usage, cost: 0, failure: failure("overloaded", "x") }] }
      return yield* request(messages, signal)
    },
  }
  const ended = await w.go()
  assert.deepEqual([ended.limit, ended.turns], ["tokens", 2])
})

test("the time limit ends a running request and a running tool", async () => {
  const long = tool("long", (_, { signal }) => untilAborted(signal))
  const w = world([{ calls: [{ id: "c", name: "long" }] }, { text: "never" }], [long], { limits: { maxTime: 1_000 } })
  const going = w.go()
  await w.clock.advance(999)
  assert.equal(w.results().length, 0)
  await w.clock.advance(1)
  const ended = await going
  assert.deepEqual([ended.status, ended.limit, ended.failure?.kind], ["limit", "time", "limit"])
  assert.equal(w.results()[0]?.status, "aborted")
  assert.equal(w.asked.length, 1)

  const asking = world([], [], { limits: { maxTime: 1_000 } })
  asking.ports = {
    ...asking.ports,
    async *request(_, signal) {
      yield { notification: { code: "waiting", level: "info", text: "waiting" } }
      await untilAborted(signal).catch(() => undefined)
      return { ok: false, failure: aborted, partial: null }
    },
  }
  const ending = asking.go()
  await asking.clock.advance(1_000)
  assert.equal((await ending).limit, "time")
  // The first abort decides how the run ended.
  const both = world([{ calls: [{ id: "c", name: "long" }] }], [long], { limits: { maxTime: 1_000 } })
  const leaving = both.go()
  await both.clock.advance(10)
  both.abort.abort()
  assert.equal((await leaving).status, "interrupted")
  assert.equal(both.clock.waiting, 0, "no timer is left")
})

test("the model is told after three identical rounds, the run stops after five; a changing result is polling", async () => {
  const same = { calls: [{ id: "c", name: "poll", args: { path: "x" } }] }
  const w = world(
    Array.from({ length: 8 }, () => same),
    [tool("poll", () => "took 12 ms, pid 77: no change")],
  )
  const ended = await w.go()
  assert.deepEqual([ended.status, ended.limit, ended.turns], ["limit", "repeat", 5])
  assert.equal(ended.failure?.message, "The same calls gave the same results 5 times in a row.")
  const reported = w.entries.filter((entry) => entry.type === "custom_message")
  assert.equal(reported.length, 1)
  assert.match(textOf(reported[0] ?? { content: [] }), /3 rounds were the same/)

  let n = 0
  const polling = world(
    [...Array.from({ length: 6 }, () => same), { text: "ready" }],
    [tool("poll", () => `step ${(n += 1)}`)],
  )
  assert.equal((await polling.go()).status, "done")
})

test("a cycle of a few calls with the same results is a repetition too", async () => {
  const paths = (names: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      calls: [{ id: `c${i}`, name: "poll", args: { path: names[i % names.length] ?? "" } }],
    }))
  for (const names of ["ab", "abc"]) {
    const w = world(paths(names, 20), [tool("poll", (args) => `nothing in ${String(args["path"])}`)])
    const ended = await w.go()
    assert.deepEqual([ended.limit, ended.turns], ["repeat", names.length * 5])
    const reported = w.entries.filter((entry) => entry.type === "custom_message")
    assert.equal(reported.length, 1)
    assert.match(
      textOf(reported[0] ?? { content: [] }),
      new RegExp(`last ${3 * names.length} rounds were the same ${names.length} calls in turn`),
    )
  }
  const search = world([...paths("abcd", 16), { text: "found" }], [tool("poll", () => "nothing")])
  assert.equal((await search.go()).status, "done")
})

test("polling a background job is not a repetition, also without new output", async () => {
  const look = { calls: [{ id: "c", name: "bash", args: { job: 1 } }] }
  const waits = {
    ...tool("bash", () => ""),
    execute: async () => ({ content: [], details: null, isError: false, status: "background" as const }),
  }
  const w = world([...Array.from({ length: 6 }, () => look), { text: "ready" }], [waits])
  assert.equal((await w.go()).status, "done")
})

test("durations and process ids in a result do not hide a repetition", async () => {
  let n = 0
  const w = world(
    Array.from({ length: 6 }, () => ({ calls: [{ id: "c", name: "poll" }] })),
    [tool("poll", () => `failed after ${(n += 1)} ms (pid ${1000 + n}) at 12:00:0${n}`)],
  )
  assert.equal((await w.go()).limit, "repeat")
})

test("a cut reply is continued at most twice", async () => {
  const w = world([{ text: "one ", stop: "length" }, { text: "two" }])
  assert.equal((await w.go()).status, "done")
  assert.equal(w.asked.length, 2)

  const cut = { text: "x", stop: "length" as const }
  const never = world([cut, cut, cut, cut])
  const ended = await never.go()
  assert.deepEqual([ended.status, ended.failure?.kind, never.asked.length], ["failed", "cut-off", 3])
})

test("[AGENT-S.36] [HOOK-3.4] [HOOK-S.11] onContext changes the request and not the history", async () => {
  const w = world([{ text: "ok" }], [], {
    hooksGiven: [
      {
        name: "mutator",
        onContext: async (messages) => {
          ;(messages as unknown[]).length = 0
          return [{ role: "user", content: [{ type: "text", text: "injected" }] }]
        },
      },
    ],
  })
  await w.go()
  assert.deepEqual(
    w.asked[0]?.map((message) => textOf(message)),
    ["injected"],
  )
  assert.equal(w.ports.context().length, 2)
})

test("an unexpected error of a port ends the run as internal, with a run_end", async () => {
  const w = world([], [], {
    request: () => {
      throw new Error("boom")
    },
  })
  const ended = await w.go()
  assert.deepEqual([ended.status, ended.failure?.kind], ["failed", "internal"])
  assert.equal(end(w)?.type, "run_end")
})

test("a request paid for by a tool is on the tape, and counts for the limits of the run", async () => {
  const usage = { ...noUsage, input: 80 }
  const paying = tool("pay", async (_, { spent }) => {
    await spent?.({ purpose: "task", model: "acme/m", usage, cost: 0.5 })
    return "paid"
  })
  const call = { calls: [{ id: "1", name: "pay" }] }
  const w = world([call, call, call], [paying], { limits: { maxCost: 0.9 } })
  const end = await w.go()
  assert.deepEqual([end.status, end.limit, end.turns], ["limit", "cost", 2])
  const paid = w.entries.flatMap((entry) => (entry.type === "model_call" ? [[entry.purpose, entry.usage.input]] : []))
  assert.deepEqual(paid, [
    ["task", 80],
    ["task", 80],
  ])
})

test("steps that a tool shows are passed on with its call", async () => {
  const shown: unknown[] = []
  const showing = tool("show", (_, { show }) => {
    show?.({ notification: { code: "waiting", level: "info", text: "..." } })
    return "shown"
  })
  const w = world([{ calls: [{ id: "7", name: "show" }] }, {}], [showing], {
    show: (callId, step) => shown.push([callId, "notification" in step]),
  })
  await w.go()
  assert.deepEqual(shown, [["7", true]])
})
