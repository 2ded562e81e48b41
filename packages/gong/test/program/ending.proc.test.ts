import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { once } from "node:events"
import { test } from "node:test"
import type { FailureKind } from "@gong/spec"
import type { Turn } from "@gong/testing/model-server"
import { eventsOf, ofType, openStage, resultOf, type Stage } from "./harness.ts"
import { tether } from "./tether.ts"

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
const slow: Turn = {
  text: "a long answer that comes in pieces and never ends",
  fault: { kind: "stall", after: { chunks: 3 } },
}

for (const [signal, status] of Object.entries(signals)) {
  test(`[AGENT-1.6] ${signal} during a tool: child processes end, the result line is written, exit ${status}`, async (t) => {
    const held = await tether(t)
    const stage = await openStage(t, { turns: [{ calls: [{ name: "bash", args: { command: held.command } }] }] })
    const live = stage.start(["--output", "events", "--yolo", "go"])
    await held.held
    live.child.kill(signal as NodeJS.Signals)
    const run = await live.ended
    await held.released
    assert.deepEqual([run.status, run.err], [status, ""])
    const result = resultOf(run)
    assert.deepEqual([result.status, result.exit, result.failure?.kind], ["interrupted", status, "aborted"])
    assert.deepEqual(
      ofType(eventsOf(run), "tool_execution_end").map((end) => end.status),
      ["aborted"],
    )
    await closedProperly(stage)
    assert.deepEqual(readdirSync(stage.temp), [], "no temporary file stays")
  })
}

test("[AGENT-S.11] SIGINT during a reply: the partial reply is stored, exit 130, and the session continues", async (t) => {
  const stage = await openStage(t, { turns: [slow, { text: "yes" }] })
  const live = stage.start(["--output", "events", "--partial", "go"])
  await live.event("message_update")
  live.child.kill("SIGINT")
  const run = await live.ended
  assert.deepEqual([run.status, run.err, resultOf(run).status], [130, "", "interrupted"])
  assert.match(resultOf(run).text, /^a long/)
  await closedProperly(stage)
  const next = await stage.gong(["-pq", "-c", "go on"])
  assert.deepEqual([next.status, next.out, next.err], [0, "yes\n", ""])
})

test("a second signal does not wait for a reader that has stopped reading", async (t) => {
  const held = await tether(t)
  const command = `head -c 50000 /dev/zero | tr '\\0' x; ${held.command}`
  const calls = [{ name: "bash", args: { command } }]
  const stage = await openStage(t, {
    turns: [
      {
        calls: Array.from({ length: 4 }, () => ({
          name: "bash",
          args: { command: "head -c 50000 /dev/zero | tr '\\0' x" },
        })),
      },
      { calls },
    ],
  })
  const live = stage.start(["--output", "events", "--yolo", "go"])
  await live.event("session")
  live.child.stdout?.pause()
  await held.held
  live.child.kill("SIGTERM")
  await held.released
  // Right after the first it would be taken for the same one.
  const again = setInterval(() => live.child.kill("SIGTERM"), 50)
  t.after(() => clearInterval(again))
  const [status] = (await once(live.child, "exit")) as [number]
  assert.equal(status, 143)
  live.child.stdout?.resume()
  assert.equal((await live.ended).err, "")
})

test("a closed stdout ends the run and its child processes silently, exit 141", async (t) => {
  const held = await tether(t)
  const stage = await openStage(t, {
    turns: [
      {
        text: "first",
        calls: [{ name: "bash", args: { command: `while :; do echo more; sleep 0.01; done & ${held.command}` } }],
      },
    ],
  })
  const live = stage.start(["--output", "events", "--partial", "--yolo", "go"])
  await held.held
  live.child.stdout?.destroy()
  const run = await live.ended
  await held.released
  assert.deepEqual([run.status, run.err], [141, ""])
  await closedProperly(stage)
})

test("an unread answer: silent, exit 141, and the answer is on the tape", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "all for nothing" } })
  for (const args of [["-p"], ["-p", "--output", "json"], ["--help"]]) {
    const live = stage.start([...args, "-q", "go"])
    live.child.stdout?.destroy()
    const run = await live.ended
    assert.deepEqual([run.status, run.err], [141, ""], args.join(" "))
  }
  assert.equal(stage.sessions().length, 2)
})

/** Silences and delays longer than a test waits. */
const quick = ["--set", "stream.gap=0.3", "--set", "stream.firstEvent=0.3", "--set", "retry.baseMs=1"]
const half = "half of it is there, and the other half will not come"

/** Requests for a permanent fault: no response, half a response, and faults that no retry fixes. */
const tries = { nothing: 4, half: 2, hopeless: 1 } as const

/** The script of every reply, and the end of the run: the kind of failure, and the text that is stored. */
const faults: readonly (readonly [name: string, turn: Turn, kind: FailureKind, text: RegExp, line: RegExp])[] = [
  [
    "dropped",
    { text: half, fault: { kind: "drop", after: { chunks: 3 } } },
    "network",
    /^half/,
    /broke before the reply was complete/,
  ],
  ["dropped at once", { fault: { kind: "drop", after: "connect" } }, "network", /^$/, /^gong: custom is not reachable/],
  [
    "cut",
    { text: half, fault: { kind: "cut", after: { chunks: 3 } } },
    "network",
    /^half/,
    /ended before it was complete/,
  ],
  [
    "stalled",
    { text: half, fault: { kind: "stall", after: { chunks: 3 } } },
    "stalled",
    /^half/,
    /custom sent nothing for/,
  ],
  ["never begun", { fault: { kind: "stall", after: "headers" } }, "stalled", /^$/, /custom sent nothing for/],
  [
    "429",
    { fault: { kind: "status", status: 429, message: "easy now" } },
    "rate-limit",
    /^$/,
    /slow down \(429 easy now\)/,
  ],
  ["500", { fault: { kind: "status", status: 500, message: "oh" } }, "overloaded", /^$/, /custom failed \(500 oh\)/],
  [
    "401",
    { fault: { kind: "status", status: 401, message: "no" } },
    "auth",
    /^$/,
    /the key in GONG_API_KEY \(401 no\)/,
  ],
  ["garbage", { fault: { kind: "body", body: "garbage" } }, "bad-reply", /^$/, /^gong: custom /],
  ["not JSON", { text: half, fault: { kind: "malformed", after: { chunks: 3 } } }, "bad-reply", /^half/, /not JSON/],
  [
    "an error inside",
    { text: half, fault: { kind: "error-event", after: { chunks: 3 } } },
    "overloaded",
    /^half/,
    /custom failed/,
  ],
]

test("[AGENT-5.1] [AGENT-5.2] [AGENT-5.6] a failed reply: exit 1, one line, the failure kind in the result, and the session continues", async (t) => {
  const stage = await openStage(t)
  for (const [name, turn, kind, text, line] of faults) {
    stage.server.begin([turn, turn, turn, turn, turn])
    const run = await stage.gong(["--output", "json", "-q", ...quick, "go"])
    const result = resultOf(run)
    assert.deepEqual([run.status, result.exit, result.status, result.failure?.kind], [1, 1, "failed", kind], name)
    assert.match(result.text, text, name)
    assert.match(run.err, line, name)
    assert.equal(run.err.split("\n").length, 2, `${name}: one line: ${run.err}`)
    const often = kind === "auth" ? tries.hopeless : turn.text === undefined ? tries.nothing : tries.half
    assert.equal(stage.server.requests.length, often, `${name}: as often as it may help, and no key twice`)
  }
  stage.server.begin([{ text: "well" }])
  const next = await stage.gong(["-pq", "-c", ...quick, "go on"])
  assert.deepEqual([next.status, next.out, next.err], [0, "well\n", ""])
})

test("[AGENT-4.3] [AGENT-S.37] [BDD-AGENT-034] a request with a temporary failure is retried, with the same answer", async (t) => {
  const stage = await openStage(t)
  const tooMany: Turn = { fault: { kind: "status", status: 429, message: "easy now", retryAfter: "0" } }
  const broken: Turn = { fault: { kind: "status", status: 500, message: "oh" } }
  const dropped: Turn = { text: half, fault: { kind: "drop", after: { chunks: 3 } } }
  const stalled: Turn = { text: half, fault: { kind: "stall", after: { chunks: 3 } } }
  const call: Turn = { calls: [{ name: "bash", args: { command: "echo once >> done.txt" } }] }
  stage.server.begin([tooMany, broken, { ...call, ...dropped }, call, stalled, { text: "well" }])
  const run = await stage.gong(["--output", "events", "--partial", "--yolo", ...quick, "go"])
  assert.deepEqual([run.status, resultOf(run).text, resultOf(run).turns], [0, "well", 2])
  assert.equal(stage.read("done.txt"), "once\n", "no try repeats an effect")
  const lines = eventsOf(run)
  const starts = ofType(lines, "retry_start")
  assert.deepEqual(
    starts.map(({ attempt, of, failure }) => [attempt, of, failure.kind]),
    [
      [1, 3, "rate-limit"],
      [2, 3, "overloaded"],
      [3, 3, "network"],
      [1, 1, "stalled"],
    ],
  )
  assert.deepEqual(
    ofType(lines, "retry_end").map(({ ok }) => ok),
    [false, false, true, true],
  )
  const ends = new Set(ofType(lines, "message_end").map(({ message }) => message.id))
  for (const { message } of ofType(lines, "message_start")) {
    const dropped = starts.some(({ draftId }) => draftId === message.id)
    assert.notEqual(ends.has(message.id), dropped, `a reply that began ends, or is dropped: ${message.id}`)
  }
  const bodies = stage.server.requests.map(({ body }) => JSON.stringify(body))
  assert.equal(new Set(bodies.slice(0, 4)).size, 1, "every try sends the same")
  assert.equal(new Set(bodies.slice(4)).size, 1)
})

test("a retry is one line on stderr, except with -q; a long wait is reported at once", async (t) => {
  const stage = await openStage(t)
  const broken: Turn = { fault: { kind: "status", status: 500, message: "oh" } }
  stage.server.begin([broken, { text: "well" }])
  const run = await stage.gong(["-p", "--set", "retry.baseMs=100", "--set", "retry.count=2", "go"])
  assert.deepEqual([run.status, run.out], [0, "well\n"])
  assert.match(run.err, /^gong: custom failed \(500 oh\); try 2 of 3 in 0\.1 s\n$/m)
  stage.server.begin([broken, { text: "well" }])
  const quiet = await stage.gong(["-pq", ...quick, "go"])
  assert.deepEqual([quiet.status, quiet.out, quiet.err], [0, "well\n", ""])
  stage.server.begin([{ fault: { kind: "status", status: 429, message: "easy now", retryAfter: "3600" } }])
  const long = await stage.gong(["-p", "go"])
  assert.deepEqual([long.status, stage.server.requests.length], [1, 1])
  assert.match(
    long.err,
    /slow down \(429 easy now\)\. It wants to be asked again in 60 min, which is longer than .*\n$/,
  )
})

test("SIGINT during the delay of a retry ends the run at once", async (t) => {
  const stage = await openStage(t, { otherwise: { fault: { kind: "status", status: 429, retryAfter: "60" } } })
  const live = stage.start(["--output", "events", "go"])
  await live.event("retry_start")
  live.child.kill("SIGINT")
  const run = await live.ended
  assert.deepEqual([run.status, resultOf(run).status, stage.server.requests.length], [130, "interrupted", 1])
  await closedProperly(stage)
})

test("a reply at the output limit is continued twice, then exit 1 with the complete text", async (t) => {
  const cut: Turn = { text: "half ", stop: "length" }
  const stage = await openStage(t, { turns: [cut, { text: "whole" }, cut, cut, cut] })
  const whole = await stage.gong(["-pq", "go"])
  assert.deepEqual([whole.status, whole.out, whole.err], [0, "half whole\n", ""])
  const run = await stage.gong(["--output", "json", "-q", "go"])
  const { status, failure, text } = resultOf(run)
  assert.deepEqual([run.status, status, failure?.kind, text], [1, "failed", "cut-off", "half half half "])
})

/** The only session records how the run ended, and its lock is free. */
async function closedProperly(stage: Stage): Promise<void> {
  const last = stage.entries().at(-1)
  assert.ok(last?.type === "run_end" && last.status === "interrupted", JSON.stringify(last))
  const [id = ""] = stage.sessions()
  assert.deepEqual(readdirSync(`${stage.gongHome}/sessions/${id}`).includes("lock"), false)
}
