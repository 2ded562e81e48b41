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
  test(`[AGENT-1.6] ${signal} in a tool: the children die, the result line is written, exit ${status}`, async (t) => {
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

test("[AGENT-S.11] SIGINT in a stream: what had come is kept, exit 130; the session goes on from there", async (t) => {
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
  live.child.kill("SIGTERM")
  const [status] = (await once(live.child, "exit")) as [number]
  assert.equal(status, 143)
  live.child.stdout?.resume()
  assert.equal((await live.ended).err, "")
})

test("the reader of stdout goes away: the run ends, silent, exit 141, and its children with it", async (t) => {
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

test("nobody reads the answer when it comes: silent, exit 141, and the answer is on the tape", async (t) => {
  const stage = await openStage(t, { otherwise: { text: "all for nothing" } })
  for (const args of [["-p"], ["-p", "--output", "json"], ["--help"]]) {
    const live = stage.start([...args, "-q", "go"])
    live.child.stdout?.destroy()
    const run = await live.ended
    assert.deepEqual([run.status, run.err], [141, ""], args.join(" "))
  }
  assert.equal(stage.sessions().length, 2)
})

const half = "half of it is there, and the other half will not come"

/** What a reply does, and how the run then ends: the failure's kind, and the text that is kept. */
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

test("[AGENT-5.1] [AGENT-5.2] [AGENT-5.6] what goes wrong with a reply: exit 1, one line, its kind in the result, and the session goes on", async (t) => {
  const stage = await openStage(t)
  const quick = ["--set", "stream.gap=0.3", "--set", "stream.firstEvent=0.3"]
  for (const [name, turn, kind, text, line] of faults) {
    stage.server.begin([turn, turn, turn, turn])
    const run = await stage.gong(["--output", "json", "-q", ...quick, "go"])
    const result = resultOf(run)
    assert.deepEqual([run.status, result.exit, result.status, result.failure?.kind], [1, 1, "failed", kind], name)
    assert.match(result.text, text, name)
    assert.match(run.err, line, name)
    assert.equal(run.err.split("\n").length, 2, `${name}: one line: ${run.err}`)
    if (kind === "auth") assert.equal(stage.server.requests.length, 1, "a key that was refused is not tried again")
  }
  stage.server.begin([{ text: "well" }])
  const next = await stage.gong(["-pq", "-c", ...quick, "go on"])
  assert.deepEqual([next.status, next.out, next.err], [0, "well\n", ""])
})

test("a reply that the output limit cuts is asked to go on, twice; then exit 1, with all of the text", async (t) => {
  const cut: Turn = { text: "half ", stop: "length" }
  const stage = await openStage(t, { turns: [cut, { text: "whole" }, cut, cut, cut] })
  const whole = await stage.gong(["-pq", "go"])
  assert.deepEqual([whole.status, whole.out, whole.err], [0, "half whole\n", ""])
  const run = await stage.gong(["--output", "json", "-q", "go"])
  const { status, failure, text } = resultOf(run)
  assert.deepEqual([run.status, status, failure?.kind, text], [1, "failed", "cut-off", "half half half "])
})

/** The tape of the only session says how the run ended, and nobody holds it any more. */
async function closedProperly(stage: Stage): Promise<void> {
  const last = stage.entries().at(-1)
  assert.ok(last?.type === "run_end" && last.status === "interrupted", JSON.stringify(last))
  const [id = ""] = stage.sessions()
  assert.deepEqual(readdirSync(`${stage.gongHome}/sessions/${id}`).includes("lock"), false)
}
