import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import type { RecordedRequest, Turn } from "@gong/testing/model-server"
import { openStage, type Stage } from "./harness.ts"

/** The relevant parts of a request of openai-completions. */
interface Body {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools?: unknown
}

const bodyOf = ({ body }: RecordedRequest): Body => body as Body
const textIn = (request: RecordedRequest): string => JSON.stringify(bodyOf(request).messages)
const isSummary = (request: RecordedRequest): boolean => textIn(request).includes("You write summaries")

/** Tokens that this model counts for a character: more than there are, so that its window of 128,000 is soon full. */
const perCharacter = 0.8

/** A model that reads one file after the other, `rounds` of them after each message, and counts tokens its own way. */
function reader(rounds: number) {
  let read = 0
  let since = 0
  return (request: RecordedRequest): Turn => {
    if (isSummary(request)) return { text: "## Goal\nto read the files" }
    const { messages } = bodyOf(request)
    const usage = { input: Math.ceil(JSON.stringify(messages).length * perCharacter), output: 40 }
    if (since >= rounds || JSON.stringify(messages.at(-1)).includes("go on")) {
      since = 0
      return { text: `read ${read}`, usage }
    }
    since += 1
    const path = `f${read++ % 40}.txt`
    return { text: `next is ${path}`, calls: [{ name: "read", args: { path } }], usage }
  }
}

async function stage(t: TestContext, otherwise: (request: RecordedRequest) => Turn): Promise<Stage> {
  const opened = await openStage(t, { otherwise })
  const files = Array.from({ length: 40 }, (_, at) => [`f${at}.txt`, `${at} ${"some words of a file ".repeat(300)}\n`])
  opened.write(Object.fromEntries(files) as Record<string, string>)
  return opened
}

const turnsIn = ({ server }: Stage): readonly RecordedRequest[] => server.requests.filter((one) => !isSummary(one))

/** The number of requests that do not begin with all bytes of the previous one. */
function breaks(requests: readonly RecordedRequest[]): number {
  const sent = requests.map((request) => bodyOf(request).messages.map((message) => JSON.stringify(message)))
  return sent.filter((messages, at) => (sent[at - 1] ?? []).some((message, index) => message !== messages[index]))
    .length
}

test("[COMPACT-S.13] [SESSION-19] [COMPACT-3.3] a run of 30 turns exceeds the window, is compacted and continues; after a kill it continues from the summary; an undo restores everything", async (t) => {
  const here = await stage(t, reader(30))
  const live = here.start(["-p", "--output", "events", "read all the files, please"])
  const started = await live.event("compaction_start")
  const ended = await live.event("compaction_end")
  assert.deepEqual([started.reason, ended.status], ["limit", "done"])
  assert.ok(started.tokens > 128_000 - 16_384)
  assert.ok((ended.tokensAfter ?? Infinity) < started.tokens * 0.6, `${started.tokens} -> ${ended.tokensAfter}`)
  live.child.kill("SIGKILL")
  await live.ended

  const compacted = here.entries().filter(({ type }) => type === "compaction").length
  assert.equal(compacted, 1)
  const before = turnsIn(here).length
  const on = await here.gong(["-c", "-p", "go on"])
  assert.equal(on.status, 0, on.err)
  const first = turnsIn(here)[before]
  assert.ok(first)
  assert.match(textIn(first), /was compacted into this summary.*## Goal.*to read the files/)
  assert.match(textIn(first), /request-in-progress.*read all the files, please/)
  assert.match(textIn(first), /<read-files>\\nf0\.txt\\nf1\.txt/)

  const undo = await here.gong(["undo", "compaction"])
  assert.equal(undo.status, 0, undo.err)
  assert.match(
    undo.out,
    /^The conversation is restored: \d+ tokens, as before the compaction\.\n\d+ later messages are /,
  )
  const turns = turnsIn(here).length
  const whole = await here.gong(["-c", "-p", "--set", "compaction.auto=off", "and now?"])
  assert.equal(whole.status, 0, whole.err)
  const again = turnsIn(here)[turns]
  assert.ok(again)
  assert.ok(!textIn(again).includes("was compacted into this summary"))
  assert.match(textIn(again), /read all the files, please/)
  assert.equal((await here.gong(["undo", "compaction"])).out.endsWith("has no compaction to undo.\n"), true)
})

test("the prefix of a conversation is byte-identical across requests and processes, except after a compaction", async (t) => {
  const here = await stage(t, reader(12))
  for (const message of ["read", "read on", "read on and on"]) {
    const run = await here.gong([...(message === "read" ? [] : ["-c"]), "-p", message])
    assert.equal(run.status, 0, run.err)
  }
  const turns = turnsIn(here)
  const rewritten = here.entries().filter(({ type }) => type === "compaction" || type === "prune").length
  assert.ok(rewritten >= 1)
  assert.equal(breaks(turns), rewritten)
  assert.equal(new Set(turns.map((one) => JSON.stringify(bodyOf(one).tools))).size, 1)
  assert.equal(new Set(turns.map((one) => JSON.stringify(bodyOf(one).messages[0]))).size, 1)
})

test("[SLASH-15] /compact compacts with the given focus and reports the result", async (t) => {
  const here = await stage(t, reader(24))
  // No automatic compaction: the window of this model is never checked.
  const auto = ["--set", "compaction.auto=off"]
  assert.equal((await here.gong(["-p", ...auto, "read"])).status, 0)
  const printed = await here.gong(["-c", "--plain", ...auto], { typed: "/compact the third file\r" })
  assert.match(printed.out, /compacting the conversation \([\d,]+ tokens\) \.\.\./)
  assert.match(printed.out, /compacted: [\d,]+ -> [\d,]+ tokens · \/undo compaction undoes it/)
  const summary = here.server.requests.findLast(isSummary)
  assert.match(summary ? textIn(summary) : "", /special attention to this: the third file/)
  const undone = await here.gong(["-c", "--plain", ...auto], { typed: "/undo compaction\r" })
  assert.match(undone.out, /The conversation is restored/)
})

test("an unknown compaction.model is an error before the first request; a known one writes summaries", async (t) => {
  const here = await stage(t, reader(30))
  const bad = await here.gong(["-p", "--set", "compaction.model=a b", "read"])
  assert.deepEqual([bad.status, here.server.requests.length], [2, 0])
  const run = await here.gong(["-p", "--output", "json", "--set", "compaction.model=mini", "read"])
  assert.equal(run.status, 0, run.err)
  const summary = here.server.requests.find(isSummary)
  assert.equal((summary?.body as { readonly model?: string } | undefined)?.model, "mini")
  const { models, cacheHitRate } = JSON.parse(run.out) as { models: Record<string, unknown>; cacheHitRate: number }
  assert.deepEqual([Object.keys(models).toSorted(), cacheHitRate], [["custom/mini", "custom/mock"], 0])
})
