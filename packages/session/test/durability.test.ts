import assert from "node:assert/strict"
import { test } from "node:test"
import { type Entry, type EntryOf, noUsage, type LeveledPolicy, textOf } from "@gong/spec"
import { context, foldBranch, pending } from "@gong/tape"
import { settle } from "@gong/testing/sim/clock"
import { gate, onDisk, place, type Place, type PlaceOptions, start, tool } from "./world.ts"

const notRun = "Not run: Gong stopped before it started."
const interrupted = "Interrupted: Gong stopped while this ran; it may have taken effect. Check before repeating."

const script = [
  { text: "I will look.", calls: [{ name: "read", arguments: { path: "a.txt" } }] },
  {
    calls: [
      { name: "write", arguments: { path: "b.txt", content: "B" } },
      { name: "bash", arguments: { command: "make" } },
    ],
  },
  { text: "done" },
]
const options: PlaceOptions = { files: { "/work/a.txt": "alpha\n" }, exec: async () => ({ code: 0, signal: null }) }

/** Resolves when `until` is true; pending work is abandoned, like that of a killed process. */
async function runUntil(where: Place, until: (step: number, entries: readonly Entry[]) => boolean) {
  const running = await start(where, { script })
  const shown: Entry[] = []
  let steps = 0
  let over = false
  const stopped = gate()
  running.session.subscribe((step) => {
    steps += 1
    if (over) return
    if ("entries" in step) shown.push(...step.entries)
    over = until(steps, shown)
    if (!over) return
    running.kill()
    stopped.open()
  })
  await Promise.race([running.session.prompt("go").then(() => undefined), stopped.opened])
  return { ...running, shown, steps, over }
}

test("[AGENT-F.2] after a power cut at every step nothing that was published is lost, and the next process continues", async () => {
  const whole = await runUntil(place(options), () => false)
  assert.ok(whole.steps > 15)
  for (let cut = 1; cut <= whole.steps; cut++) {
    const where = place(options)
    let kept: readonly string[] = []
    const { shown } = await runUntil(where, (step, entries) => {
      if (step < cut) return false
      where.disk.powerCut()
      kept = onDisk(where).map(({ id }) => id)
      assert.ok(entries.length > 0)
      return true
    })
    const promised = shown.findLastIndex(isPromise)
    const lost = shown.slice(0, promised + 1).filter(({ id }) => !kept.includes(id))
    assert.deepEqual(lost, [], `cut at step ${cut}`)
  }
})

/** Entries that are synced before they are shown, together with all earlier entries. */
function isPromise(entry: Entry): boolean {
  if (entry.type === "tool_start") return entry.name !== "read"
  return entry.type === "input" || entry.type === "change" || entry.type === "run_end"
}

test("replies and results are synced during the run, without waiting", async () => {
  const where = place(options)
  const { beginSync } = where.disk
  const begun: (readonly string[])[] = []
  Object.assign(where.disk, {
    beginSync(...args: Parameters<typeof beginSync>) {
      begun.push(onDisk(where).map((entry) => (entry.type === "message" ? entry.message.role : entry.type)))
      beginSync(...args)
    },
  })
  await runUntil(where, () => false)
  assert.deepEqual(
    begun.map((types) => types.at(-1)),
    ["user", "tool", "tool", "tool", "assistant"],
    "what stands last when a sync begins",
  )
})

for (const { what, stop, texts } of [
  {
    what: "while the first of two calls ran",
    stop: (entries: readonly Entry[]) => entries.some(isStart("write")),
    texts: [interrupted, notRun],
  },
  {
    what: "while the second of two calls ran",
    stop: (entries: readonly Entry[]) => entries.some(isStart("bash")),
    texts: ["Successfully wrote 1 bytes to b.txt", interrupted],
  },
]) {
  test(`[AGENT-F.2] [AGENT-4.2] a crash ${what}: every call has one result, in call order, and only once`, async () => {
    const where = place(options)
    await runUntil(where, (_, entries) => stop(entries))
    const again = await start(where, { script: [{ text: "I see" }] })
    assert.deepEqual(resultsOf(again.tape.entriesOfBranch()).slice(-2), texts)
    const statuses = texts.map((text) => (text === notRun ? "skipped" : text === interrupted ? "aborted" : "ok"))
    assert.deepEqual(statusesOf(again.tape.entriesOfBranch()).slice(-2), statuses)
    assert.equal(again.repaired.calls, texts.filter((text) => text === notRun || text === interrupted).length)
    assert.equal((await again.session.prompt("and now?")).status, "done")
    again.tape.close()
    const third = await start(where, { script: [] })
    assert.equal(third.repaired.calls, 0)
    assert.deepEqual(resultsOf(third.tape.entriesOfBranch()).slice(-2), texts)
  })
}

test("calls that never started are reported as not run", async () => {
  const where = place()
  const { tape } = await start(where)
  const content = ["c1", "c2"].map((id) => ({ type: "tool_call", id, name: "bash", arguments: {} }) as const)
  const model = { provider: "p", id: "m", api: "scripted" }
  const reply = { role: "assistant", content, model, stopReason: "tool_calls", usage: noUsage, cost: 0 } as const
  tape.append([{ type: "message", message: reply }], { sync: true })
  tape.close()
  const { tape: again, repaired } = await start(where)
  assert.equal(repaired.calls, 2)
  assert.deepEqual(resultsOf(again.entriesOfBranch()), [notRun, notRun])
  assert.deepEqual(statusesOf(again.entriesOfBranch()), ["skipped", "skipped"])
})

function isStart(name: string) {
  return (entry: Entry): boolean => entry.type === "tool_start" && entry.name === name
}

function statusesOf(entries: readonly Entry[]): readonly (string | undefined)[] {
  return entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "tool" ? [entry.message.status] : [],
  )
}

function resultsOf(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "tool" ? textOf(entry.message) : [],
  )
}

test("inputs that waited when Gong stopped are dropped with a notification, and are not sent by themselves", async () => {
  const where = place()
  const hold = gate()
  const slow = tool("slow", async () => (await hold.opened, "done"))
  const { session, kill } = await start(where, { tools: () => [slow], script: [{ calls: [{ name: "slow" }] }] })
  void session.prompt("go").catch(() => undefined)
  await settle()
  await session.steer("this way")
  await session.followUp("and that")
  kill()
  where.disk.powerCut()
  // The lock's content was never synced: a remainder of it is taken over after its expiry.
  await where.clock.advance(31_000)
  const again = await start(where, { script: [{ text: "hello again" }] })
  assert.deepEqual(again.repaired, { calls: 1, unsent: ["this way", "and that"] })
  assert.equal(again.tape.follow(pending).value.size, 0)
  await again.session.prompt("new")
  assert.deepEqual(again.asked[0]?.map(textOf), ["go", "", interrupted, "new"])
  const drops = again.tape
    .entriesOfBranch()
    .filter((entry): entry is EntryOf<"input_drop"> => entry.type === "input_drop")
  assert.deepEqual(
    drops.map(({ reason }) => reason),
    Array(2).fill("not sent before Gong stopped"),
  )
})

test("on a full disk tools may read and not change, and everything is written when there is space", async () => {
  let full = false
  const where = place({
    ...options,
    fault: ({ name }) => (full && name === "write" ? { code: "ENOSPC", written: 5 } : null),
  })
  const { session, tape, steps } = await start(where, {
    script: [
      { calls: [{ name: "read", arguments: { path: "a.txt" } }] },
      { calls: [{ name: "write", arguments: { path: "b.txt", content: "B" } }] },
      { calls: [{ name: "write", arguments: { path: "b.txt", content: "C" } }] },
      { text: "done" },
    ],
  })
  session.subscribe((step) => {
    if (!("entries" in step)) return
    if (step.entries.some(({ type }) => type === "input")) full = true
    if (resultsOf(step.entries).some((text) => text.startsWith("Refused"))) full = false
  })
  assert.equal((await session.prompt("go")).status, "done")
  assert.deepEqual(resultsOf(tape.entriesOfBranch()), [
    "alpha\n",
    "Refused: the session cannot be written (Cannot write the session: the disk is full.). Nothing was run.",
    "Successfully wrote 1 bytes to b.txt",
  ])
  const notified = steps.filter((step) => "notification" in step && step.notification.code === "storage")
  assert.equal(notified.length, 1)
  assert.deepEqual([tape.stalled, await session.unwritten()], [null, null])
  assert.deepEqual(onDisk(where), tape.entriesOfBranch())
  assert.equal(Buffer.from(await where.host.readRange("/work/b.txt", 0)).toString(), "C")
})

for (const code of ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EFBIG"]) {
  test(`a disk that takes nothing more (${code}): the end of the run counts the steps that are not kept, until it is tried with success`, async () => {
    let failing = false
    const where = place({
      ...options,
      fault: ({ name }) => (failing && name === "write" ? { code, written: 5 } : null),
    })
    const { session, tape } = await start(where, { script: [{ text: "done" }] })
    session.subscribe((step) => {
      if ("entries" in step && step.entries.some(({ type }) => type === "input")) failing = true
    })
    assert.equal((await session.prompt("go")).status, "done")
    const lost = tape.all.length - onDisk(where).length
    assert.ok(lost > 1)
    assert.match(
      (await session.unwritten())?.message ?? "",
      new RegExp(`; the last ${lost} steps of this session are not kept\\.$`),
    )
    assert.deepEqual([(await session.unwritten())?.kind, tape.store.damage], ["storage", []])
    failing = false
    assert.equal(await session.unwritten(), null)
    assert.deepEqual(onDisk(where), tape.entriesOfBranch())
  })
}

for (const { what, entry } of [
  { what: "the start of a command", entry: "tool_start" },
  { what: "a change", entry: "change" },
] as const) {
  test(`nothing takes effect if the disk refuses ${what}`, async () => {
    let full = false
    const effects: string[] = []
    const where = place({
      exec: async (command) => (effects.push(String(command)), { code: 0, signal: null }),
      fault: ({ name }) => (full && name === "write" ? { code: "ENOSPC" } : null),
    })
    const call =
      entry === "change"
        ? { name: "write", arguments: { path: "new.txt", content: "x" } }
        : { name: "bash", arguments: { command: "make" } }
    const policy: LeveledPolicy = {
      level: "full",
      setLevel: () => undefined,
      // The last that is asked before the start is written, and a change with it.
      async decide() {
        full = true
        return { verdict: "allow" }
      },
      remember: async () => undefined,
    }
    const { session, tape } = await start(where, { script: [{ calls: [call] }, { text: "done" }], policy })
    await session.prompt("go")
    assert.match(resultsOf(tape.entriesOfBranch())[0] ?? "", /Refused: the session cannot be written/)
    assert.deepEqual(effects, [])
    assert.equal(await where.host.stat("/work/new.txt"), null)
    full = false
    assert.equal(tape.flush(), true)
    assert.deepEqual(onDisk(where), tape.entriesOfBranch())
  })
}

test("a session taken over by another process stops at once with a reason", async () => {
  const where = place(options)
  const { session, tape } = await start(where, { script })
  session.subscribe((step) => {
    if ("entries" in step && step.entries.some(isStart("read"))) where.disk.unlink("/sessions/s1/lock")
  })
  const end = await session.prompt("go")
  assert.equal(end.status, "failed")
  assert.equal(end.failure?.kind, "storage")
  await assert.rejects(session.prompt("again"), { name: "FailureError" })
  assert.deepEqual(tape.follow(context).value, foldBranch(context, tape.branch))
})
