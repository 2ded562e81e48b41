import assert from "node:assert/strict"
import { test } from "node:test"
import { type Entry, type Failure, failure, FailureError, type Hook, type PublishedStep, textOf } from "@gong/spec"
import { type ScriptedStep, scriptedProvider, type ScriptedTurn } from "@gong/llm/scripted"
import { undoCompaction } from "@gong/tape"
import { settle } from "@gong/testing/sim/clock"
import { gate, onDisk, place, type Place, type Running, start, type StartOptions, tool } from "../world.ts"

/** A model with a window of 8,000 tokens: the limit is 6,000, of which 2,000 are kept. */
const small = { contextWindow: 8_000, maxOutput: 1_000 }

/** Approximate tokens of each result. */
const look = tool("look", ({ tokens }) => "word".repeat(Number(tokens)), { readOnly: true })

/** About so many tokens, two fifths of them words: shortening results alone does not make room. */
const looks = (tokens: number, at = 0, more: Partial<ScriptedTurn> = {}): ScriptedTurn => ({
  text: `I look: ${"word".repeat(tokens * 0.38)}`,
  calls: [{ name: "look", arguments: { tokens: tokens * 0.62, at } }],
  ...more,
})

/** A model that follows the script, and answers requests for a summary apart from it. */
function model(where: Place, script: readonly ScriptedTurn[], summaries: readonly ScriptedTurn[] = []) {
  const rest = [...script]
  const others = [...summaries]
  const steps: ScriptedStep[] = Array.from({ length: 200 }, () => (ask) => {
    const turn = isSummary(ask) ? (others.shift() ?? { text: "## Goal\nto look" }) : rest.shift()
    return turn ?? { failure: failure("internal", "the script is over") }
  })
  return scriptedProvider(steps, { clock: where.clock, model: small })
}

const isSummary = (ask: { readonly system: string }): boolean => ask.system.includes("You write summaries")

interface Opened extends Running {
  readonly where: Place
  readonly summaries: () => number
}

async function open(
  script: readonly ScriptedTurn[],
  options: StartOptions & { readonly summaries?: readonly ScriptedTurn[]; readonly where?: Place } = {},
): Promise<Opened> {
  const { summaries, where = place(), ...parts } = options
  const provider = model(where, script, summaries)
  const running = await start(where, { tools: () => [look], ...parts, provider })
  return { ...running, where, summaries: () => provider.requests.filter(isSummary).length }
}

const typesOf = (entries: readonly Entry[]): readonly string[] => entries.map(({ type }) => type)

function compactions(entries: readonly Entry[]) {
  return entries.flatMap((entry) => (entry.type === "compaction" ? [entry] : []))
}

function noticed(steps: readonly PublishedStep[]): readonly string[] {
  return steps.flatMap((step) => {
    if (!("notification" in step)) return []
    const { notification } = step
    if (notification.code === "compaction_start") return [`start ${notification.reason}`]
    return notification.code === "compaction_end" ? [`${notification.status} ${notification.failure.message}`] : []
  })
}

const rounds = (count: number, tokens: number): readonly ScriptedTurn[] =>
  Array.from({ length: count }, (_, at) => looks(tokens, at))

test("[BDD-AGENT-036] [COMPACT-S.13] a context over the limit is compacted before the next request, and the run continues", async () => {
  const running = await open([...rounds(8, 900), { text: "done" }])
  assert.equal((await running.session.prompt("look around")).status, "done")
  const entries = running.entries()
  const [compaction] = compactions(entries)
  assert.ok(compaction)
  assert.equal(compaction.reason, "limit")
  assert.ok(compaction.tokensBefore > 6_000)
  assert.ok((compaction.tokensAfter ?? 0) < 5_000, `${compaction.tokensAfter}`)
  assert.match(compaction.summary, /^## Goal\nto look\n\n<request-in-progress>\nlook around\n/)
  const after = running.asked.findLast((messages) => messages.some((one) => textOf(one).includes("<summary>")))
  assert.equal(after?.[0]?.role, "user")
  assert.match(textOf(after?.[0] ?? { content: [] }), /^The conversation before this point was compacted/)
  assert.equal(after?.[1]?.role, "assistant", "what is kept begins with a reply, never with a result")
  assert.deepEqual(noticed(running.steps), ["start limit"])
  running.kill()
  const again = await open([{ text: "I know" }], { where: running.where })
  await again.session.prompt("go on")
  const sent = again.asked[0] ?? []
  assert.deepEqual(
    sent.slice(0, -1).map(textOf),
    [...(after ?? []), ...lastMessages(entries, after?.length ?? 0)].map(textOf),
    "a resumed session sends the same",
  )
})

/** Messages that came after a request of so many messages. */
function lastMessages(entries: readonly Entry[], _sent: number) {
  const at = entries.findLastIndex(({ type }) => type === "compaction")
  const later = entries.slice(at).flatMap((entry) => (entry.type === "message" ? [entry.message] : []))
  const asked = later.findLastIndex(({ role }) => role === "assistant")
  return later.slice(asked)
}

test("[AGENT-S.20] a run whose context stays under the limit is not compacted", async () => {
  const running = await open([...rounds(4, 900), { text: "done" }])
  await running.session.prompt("look")
  assert.deepEqual([running.summaries(), compactions(running.entries()).length], [0, 0])
})

test("[COMPACT-S.14] the provider's count decides, not the estimate", async () => {
  const counted = (input: number) => ({ usage: { input, output: 10 } })
  const much = await open([...rounds(5, 900), looks(10, 0, counted(6_500)), { text: "done" }])
  await much.session.prompt("look")
  assert.equal(compactions(much.entries()).length, 1)
  const little = await open([...rounds(8, 900).map((turn) => ({ ...turn, ...counted(500) })), { text: "done" }])
  await little.session.prompt("look")
  assert.equal(compactions(little.entries()).length, 0)
})

test("[COMPACT-3.3] [COMPACT-P.4] anchor and summary are one batch on the disk, and every phase stays", async () => {
  const running = await open([...rounds(8, 900), { text: "done" }])
  await running.session.prompt("look")
  const entries = onDisk(running.where)
  const at = entries.findIndex(({ type }) => type === "compaction")
  assert.equal(entries[at - 1]?.type, "anchor")
  assert.deepEqual(
    running.tape.phases().map(({ name }) => name),
    ["session-start", ...compactions(entries).map(() => "compaction")],
  )
  assert.equal(typesOf(entries)[0], "anchor")
})

test("[COMPACT-2.3] the system prompt stays first and as it was", async () => {
  const where = place()
  const provider = model(where, [...rounds(8, 900), { text: "done" }])
  const running = await start(where, { tools: () => [look], provider })
  await running.session.prompt("look")
  const turns = provider.requests.filter((ask) => !isSummary(ask))
  assert.ok(turns.length > 8 && provider.requests.some(isSummary))
  assert.equal(new Set(turns.map(({ system }) => system)).size, 1)
  const prompts = provider.requests.filter(isSummary).map(({ messages }) => textOf(messages[0] ?? { content: [] }))
  assert.ok(prompts.every((prompt) => !prompt.includes("tools: look; at")))
})

const overflow = { failure: failure("context-overflow", "prompt is too long", { status: 400 }) }

test("a request that is too long is compacted and made once more; a second refusal ends the run", async () => {
  const well = await open([...rounds(5, 900), overflow, { text: "done" }])
  assert.equal((await well.session.prompt("look")).status, "done")
  assert.deepEqual(
    compactions(well.entries()).map(({ reason }) => reason),
    ["overflow"],
  )
  const badly = await open([...rounds(5, 900), overflow, overflow, { text: "never" }])
  const end = await badly.session.prompt("look")
  assert.deepEqual([end.status, end.failure?.kind], ["failed", "context-overflow"])
  assert.equal(badly.summaries(), 1)
})

test("a request that is too long and has no summary is made again with short results; nothing is dropped", async () => {
  const running = await open([...rounds(5, 900), overflow, { text: "done" }], { summaries: [{ text: " " }] })
  assert.equal((await running.session.prompt("look")).status, "done")
  assert.deepEqual([compactions(running.entries()).length, running.summaries()], [0, 1])
  assert.equal(running.entries().filter(({ type }) => type === "prune").length, 1)
  // Between them the summary was requested.
  const [refused = 0, , repeated = 0] = running.asked.slice(-3).map((messages) => JSON.stringify(messages).length)
  assert.ok(repeated < refused, `${repeated} of ${refused}`)
})

test("[AGENT-4.3] [BDD-AGENT-033] a 429 never compacts, however long the conversation is", async () => {
  const slow = { failure: failure("rate-limit", "slow down", { status: 429 }) }
  const running = await open([...rounds(5, 900), slow, { text: "done" }])
  const run = running.session.prompt("look")
  await running.where.clock.advance(10_000)
  assert.equal((await run).status, "done")
  assert.equal(compactions(running.entries()).length, 0)
})

test("[COMPACT-3.1] [COMPACT-P.6] [COMPACT-P.1] without a summary there is no anchor: old results are shortened, and it is asked once in a run", async () => {
  const bad: readonly (readonly [string, ScriptedTurn])[] = [
    ["refused", overflow],
    ["empty", { text: " " }],
    ["cut off", { text: "half", stopReason: "length" }],
    ["a call", { text: "I would rather", calls: [{ name: "look", arguments: { tokens: 1 } }] }],
  ]
  for (const [name, summary] of bad) {
    const running = await open([...rounds(9, 900), { text: "done" }], { summaries: [summary, summary, summary] })
    assert.equal((await running.session.prompt("look")).status, "done", name)
    const entries = running.entries()
    assert.deepEqual([running.summaries(), compactions(entries).length], [1, 0], name)
    assert.equal(running.tape.phases().length, 1, name)
    const pruned = entries.filter(({ type }) => type === "prune")
    assert.equal(pruned.length, 1, name)
    assert.match(noticed(running.steps).join("; "), /^start limit; failed /, name)
    const call = entries.find((entry) => entry.type === "model_call")
    assert.deepEqual([call?.purpose, call?.failure !== undefined], ["compaction", true], name)
  }
})

test("[COMPACT-P.1] a model for summaries that breaks leaves the session able to try again", async () => {
  const provider = () => Promise.reject(new Error("it cannot be opened"))
  const compaction = { auto: true, reserveTokens: 16_384, keepTokens: 20_000, provider }
  const running = await open([...rounds(4, 900), { text: "done" }, { text: "also" }], { compaction })
  await running.session.prompt("look")
  for (let round = 0; round < 2; round++) {
    await assert.rejects(running.session.compact(), /it cannot be opened/)
    assert.equal(running.session.running, false)
  }
  assert.equal((await running.session.prompt("and?")).status, "done")
})

test("[COMPACT-3.2] [COMPACT-P.2] a second compaction of the same session is refused, another session has its own", async () => {
  const holds = gate()
  const hook: Hook = {
    name: "slow",
    beforeSessionOp: async () => {
      await holds.opened
      return { answer: "ok" }
    },
  }
  const one = await open([...rounds(4, 900), { text: "done" }], { hooks: [hook] })
  const two = await open([...rounds(4, 900), { text: "done" }])
  await one.session.prompt("look")
  await two.session.prompt("look")
  const first = one.session.compact()
  for (let round = 0; round < 5; round++) await settle()
  await assert.rejects(one.session.compact(), (error) => {
    return error instanceof FailureError && error.failure.message.startsWith("compaction_in_progress")
  })
  assert.equal((await two.session.compact()).status, "done")
  holds.open()
  assert.equal((await first).status, "done")
  assert.equal(compactions(one.entries()).length, 1)
})

test("[AGENT-4.4] a prompt during a compaction by command is on the disk at once, and answered afterwards", async () => {
  const holds = gate()
  const hook: Hook = { name: "slow", beforeSessionOp: () => holds.opened.then(() => ({ answer: "ok" }) as const) }
  const running = await open([...rounds(4, 900), { text: "done" }, { text: "the answer" }], { hooks: [hook] })
  await running.session.prompt("look")
  const compacting = running.session.compact()
  await settle()
  const prompt = running.session.prompt("a question")
  for (let round = 0; round < 5; round++) await settle()
  const inputs = onDisk(running.where).filter((entry) => entry.type === "input")
  assert.equal(inputs.at(-1)?.text, "a question")
  assert.equal(running.session.running, true)
  holds.open()
  assert.equal((await compacting).status, "done")
  assert.equal((await prompt).status, "done")
  const types = typesOf(running.entries())
  assert.ok(types.lastIndexOf("compaction") < types.lastIndexOf("message"))
  const last = running.asked.at(-1) ?? []
  assert.match(textOf(last[0] ?? { content: [] }), /<summary>/)
  assert.equal(textOf(last.at(-1) ?? { content: [] }), "a question")
})

test("[BDD-AGENT-037] input sent during a compaction is stored, and the model receives it", async () => {
  const holds = gate()
  const hook: Hook = { name: "slow", beforeSessionOp: () => holds.opened.then(() => ({ answer: "ok" }) as const) }
  const script = [...rounds(8, 900), { text: "done" }, { text: "and this" }, { text: "and that" }]
  const running = await open(script, { hooks: [hook] })
  let reported = false
  const sent: Promise<string>[] = []
  running.session.subscribe((step) => {
    if (reported || !("notification" in step) || step.notification.code !== "compaction_start") return
    reported = true
    sent.push(running.session.steer("a steer"))
    sent.push(running.session.followUp("a follow-up"))
    queueMicrotask(() => holds.open())
  })
  assert.equal((await running.session.prompt("look")).status, "done")
  await Promise.all(sent)
  assert.ok(reported)
  const printed = running.entries().flatMap((entry) => {
    return entry.type === "message" && entry.message.role === "user" ? [textOf(entry.message)] : []
  })
  assert.deepEqual(printed, ["look", "a steer", "a follow-up"])
})

test("[HOOK-2.4] a hook that cancels a compaction leaves the session unchanged, and gets the reason of the compaction", async () => {
  const asked: unknown[] = []
  const hook: Hook = {
    name: "no",
    beforeSessionOp: async (...what) => {
      asked.push(what.slice(0, 2))
      return { answer: "cancel", reason: "not now" }
    },
  }
  const running = await open([...rounds(7, 900), { text: "done" }], { hooks: [hook] })
  assert.equal((await running.session.prompt("look")).status, "done")
  assert.deepEqual([running.summaries(), typesOf(running.entries()).includes("prune")], [0, false])
  assert.equal(running.tape.phases().length, 1)
  assert.equal(
    JSON.stringify(asked[0])?.startsWith('["compact",{"reason":"limit","tokens":6'),
    true,
    JSON.stringify(asked),
  )
  assert.deepEqual(noticed(running.steps).slice(0, 2), ["start limit", "cancelled not now"])
})

test("a conversation that cannot get smaller is not compacted over and over", async () => {
  const running = await open([looks(6_500), { text: "a" }, { text: "b" }, { text: "c" }])
  await running.session.prompt("look")
  assert.equal(running.summaries(), 0, "a summary of three words wins nothing, and is not asked for")
  for (const prompt of ["again", "and again"]) await running.session.prompt(prompt)
  assert.ok(running.summaries() <= 2, `${running.summaries()}`)
  const lengths = running.asked.filter((messages) => messages.length > 1).length
  assert.ok(lengths >= 3, "the requests go on")
})

test("compaction.auto off: nothing is compacted by itself, the user still may", async () => {
  const compaction = { auto: false, reserveTokens: 16_384, keepTokens: 20_000, provider: null }
  const running = await open([...rounds(8, 900), { text: "done" }, overflow], { compaction })
  assert.equal((await running.session.prompt("look")).status, "done")
  assert.equal((await running.session.prompt("more")).failure?.kind, "context-overflow")
  assert.equal(running.summaries(), 0)
  assert.equal((await running.session.compact("the numbers")).status, "done")
  assert.equal(compactions(running.entries())[0]?.reason, "manual")
})

test("a compaction is undone by going back to before it, with all that it had replaced", async () => {
  const running = await open([...rounds(4, 900), { text: "done" }, { text: "whole" }])
  await running.session.prompt("look")
  const before = running.asked.at(-1)?.length ?? 0
  const end = await running.session.compact()
  assert.equal(end.status, "done")
  const undone = undoCompaction(running.tape)
  assert.deepEqual([undone?.left, undone?.undone.reason], [0, "manual"])
  await running.session.prompt("and now?")
  assert.equal(running.asked.at(-1)?.length, before + 2)
  assert.equal(undoCompaction(running.tape), null)
})

test("the cost of a summary is on the tape with its model, and counts for the limits of the run", async () => {
  const where = place()
  const usage = { input: 1000, output: 100 }
  const cheap = scriptedProvider(
    Array.from({ length: 5 }, () => ({ text: "short", usage })),
    {
      clock: where.clock,
      model: { ...small, id: "cheap", contextWindow: 50_000, price: { input: 1, output: 1, yuanPerDollar: 2 } },
    },
  )
  const compaction = { auto: true, reserveTokens: 16_384, keepTokens: 20_000, provider: async () => cheap }
  const running = await open([...rounds(8, 900), { text: "done" }], { where, compaction, limits: { maxTokens: 1_000 } })
  const end = await running.session.prompt("look")
  assert.deepEqual([end.status, end.limit], ["limit", "tokens"])
  const call = running.entries().find((entry) => entry.type === "model_call")
  assert.deepEqual(
    [call?.purpose, call?.model, call?.usage.input, call?.cost, call?.costCny],
    ["compaction", "scripted/cheap", 1000, 0.00055, 0.0011],
  )
  assert.equal(cheap.requests.length, 1)
  assert.deepEqual([cheap.requests[0]?.tools, cheap.requests[0]?.thinking], [[], "off"])
})

test("without anything to compact the user is informed, and no request is made", async () => {
  const running = await open([{ text: "hello" }])
  await running.session.prompt("hi")
  const end = await running.session.compact()
  assert.deepEqual([end.status, running.summaries()], ["nothing", 0])
  assert.deepEqual(noticed(running.steps), ["nothing There is nothing to compact yet."])
})

test("results stay whole where nothing can be removed and no request was refused yet", async () => {
  const calls = [3_000, 5_500].map((tokens) => ({ name: "look", arguments: { tokens } }))
  const running = await open([{ calls }, { text: "done" }])
  assert.equal((await running.session.prompt("look")).status, "done")
  const kinds = typesOf(running.entries())
  assert.deepEqual([kinds.includes("prune"), kinds.includes("compaction"), running.summaries()], [false, false, 0])
})

test("the user's compaction keeps the newest 2,000 tokens, also where that is more than half", async () => {
  const running = await open(Array.from({ length: 6 }, () => ({ text: "well" })))
  for (let at = 1; at <= 6; at++) await running.session.prompt(`${at}${"word".repeat(490)}`)
  assert.equal((await running.session.compact()).status, "done")
  const first = compactions(running.entries())[0]?.firstKeptEntryId
  const kept = running.entries().find(({ id }) => id === first)
  assert.equal(kept?.type === "message" && textOf(kept.message)[0], "2")
})

test("an abort ends the user's compaction, and the conversation stays as it was", async () => {
  const slow: ScriptedTurn = { text: "a summary that is stopped" }
  const where = place()
  const provider = model(where, [...rounds(4, 900), { text: "done" }], [slow])
  const waits = scriptedProvider([slow], { clock: where.clock, model: small, delayMs: 1000, deltaSize: 1 })
  const compaction = { auto: true, reserveTokens: 16_384, keepTokens: 20_000, provider: async () => waits }
  const running = await start(where, { tools: () => [look], provider, compaction })
  await running.session.prompt("look")
  const compacting = running.session.compact()
  for (let round = 0; round < 5; round++) await settle()
  running.session.abort()
  await where.clock.advance(2_000)
  const end = await compacting
  assert.deepEqual([end.status, (end.failure as Failure).kind], ["failed", "aborted"])
  assert.equal(compactions(running.entries()).length, 0)
})

test("old results are shortened where that alone makes room, in one step, and later requests begin with the same bytes", async () => {
  const where = place()
  const sizes = [...Array.from({ length: 12 }, () => 2_800), 100, 100, 100, 100]
  const call = (tokens: number, at: number) => ({ calls: [{ name: "look", arguments: { tokens, at } }] })
  const script = [...sizes.map(call), { text: "done" }]
  const provider = scriptedProvider(script, { clock: where.clock, model: { contextWindow: 40_000, maxOutput: 1_000 } })
  const running = await start(where, { tools: () => [look], provider })
  assert.equal((await running.session.prompt("look")).status, "done")
  const pruned = running.entries().flatMap((entry) => (entry.type === "prune" ? [entry] : []))
  assert.equal(pruned.length, 1)
  assert.equal(compactions(running.entries()).length, 0)
  const [{ tokensBefore, tokensAfter } = { tokensBefore: 0, tokensAfter: 0 }] = pruned
  assert.ok(tokensBefore > 30_000 && tokensAfter <= 20_000, `${tokensBefore} -> ${tokensAfter}`)
  const sent = running.asked.map((messages) => messages.map((message) => JSON.stringify(message)))
  const breaks = sent.filter((messages, at) => {
    const before = sent[at - 1] ?? []
    return before.some((message, index) => message !== messages[index])
  })
  assert.equal(breaks.length, 1, "the provider's cache is lost once")
  const whole = onDisk(where).flatMap((entry) =>
    entry.type === "message" && entry.message.role === "tool" ? [textOf(entry.message).length] : [],
  )
  assert.ok(
    whole.slice(0, 12).every((length) => length === 2_800 * 4),
    "the tape holds them whole",
  )
  const last = JSON.stringify(running.asked.at(-1))
  running.kill()
  const again = await start(where, { tools: () => [look], script: [{ text: "well" }] })
  await again.session.prompt("go on")
  assert.equal(
    JSON.stringify(again.asked[0]?.slice(0, running.asked.at(-1)?.length)),
    last,
    "and a resumed one as well",
  )
})

test("a call after a compaction never reuses the id of a removed call, whatever the server sends, also in another process", async () => {
  const where = place()
  const same = (at: number): ScriptedTurn => ({
    ...looks(900, at),
    calls: [{ name: "look", id: "call_0", arguments: { tokens: 500, at } }],
  })
  const script = Array.from({ length: 4 }, (_, at) => same(at))
  const first = await open([...script, { text: "done" }], { where })
  await first.session.prompt("look")
  assert.equal((await first.session.compact()).status, "done")
  first.kill()
  const second = await open([same(9), { text: "done" }], { where })
  await second.session.prompt("look again")
  const ids = onDisk(where).flatMap((entry) => (entry.type === "tool_start" ? [entry.callId] : []))
  assert.equal(ids.length, 5)
  assert.equal(new Set(ids).size, 5, ids.join(" "))
})
