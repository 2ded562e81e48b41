import assert from "node:assert/strict"
import { existsSync, readFileSync } from "node:fs"
import { test } from "node:test"
import type { ExecResult } from "@gong/spec"
import { manualClock, settle } from "@gong/testing/sim/clock"
import { createMemoryHost } from "../../../src/host/memory.ts"
import { createBashTool } from "../../../src/index.ts"
import { context, place, messages } from "../../workspace.ts"
import { stage } from "../stage.ts"

const more = (job: number) => `bash {"job":${job}} reads more (waits up to 60 s), {"job":${job},"stop":true} ends it.]`

test("[BASH-S.16] after 120 s a command continues as a background job", async () => {
  const on = stage()
  const { call, actor } = await on.begin({ command: "npm run dev" })
  actor.print("port 5173\n")
  await on.clock.advance(119_999)
  assert.deepEqual(on.jobs.running(), [])
  await on.clock.advance(1)
  const result = await call
  assert.equal(
    messages(result),
    `port 5173\n[Still running after 120 s; it goes on as job 1. Last output above. ${more(1)}`,
  )
  assert.deepEqual([result.status, result.isError, result.details?.job], ["background", false, 1])
  assert.deepEqual([result.details?.exit_code, result.details?.duration_ms], [null, 120_000])
  assert.deepEqual(on.jobs.running(), [{ number: 1, title: "npm run dev" }])
  assert.equal(actor.options.signal.aborted, false)
  assert.equal(on.actors.length, 1)
})

test("a command is killed at the default timeout if jobs are off, and at the timeout of the model", async () => {
  const off = stage({ background: false, defaultTimeout: 30 })
  const one = await off.begin({ command: "sleep" })
  await off.clock.advance(30_000)
  assert.equal(await one.text(), "Command timed out after 30 seconds")
  const on = stage()
  const two = await on.begin({ command: "sleep", timeout: 500 })
  await on.clock.advance(500_000)
  assert.equal(await two.text(), "Command timed out after 500 seconds")
  assert.deepEqual([one.actor.options.signal.aborted, two.actor.options.signal.aborted], [true, true])
})

test("a timeout over an hour is capped and reported", async () => {
  const on = stage()
  const { actor, text } = await on.begin({ command: "sleep", timeout: 9999 })
  actor.print("x\n")
  await on.clock.advance(3_600_000)
  assert.equal(await text(), "x\n[timeout was cut to 3600 seconds.]\n\nCommand timed out after 3600 seconds")
})

test("reading a job returns each new output once, and the exit code at the end", async () => {
  const on = stage()
  const actor = await on.background("npm test")
  actor.print("one\n")
  const first = await on.begin({ job: 1 })
  await on.clock.advance(1_000)
  assert.equal(await first.text(), "one\n[Job 1 is still running after 121 s.]")
  const second = await on.begin({ job: 1 })
  await on.clock.advance(10_000)
  actor.print("two ")
  await on.clock.advance(500)
  actor.print("three\n")
  await on.clock.advance(500)
  assert.equal(await second.text(), "two three\n[Job 1 is still running after 132 s.]")
  const third = await on.begin({ job: 1 })
  actor.print("four\n")
  await actor.exit(0)
  const end = await third.call
  assert.equal(messages(end), "four\n[Job 1 has ended with exit code 0.]")
  assert.deepEqual([end.status, end.isError, end.details?.exit_code], ["ok", false, 0])
  assert.equal(
    await (await on.begin({ job: 1 })).text(),
    "There is no job 1, or its end was told already. No job is there now.",
  )
})

test("reading a silent job waits 60 s; the result says that it runs and does not count as a repetition", async () => {
  const on = stage()
  await on.background("sleep")
  const { call } = await on.begin({ job: 1 })
  await on.clock.advance(59_999)
  assert.equal(await Promise.race([call, settle()]), undefined)
  await on.clock.advance(1)
  const result = await call
  assert.equal(messages(result), "(no new output)\n[Job 1 is still running after 180 s.]")
  assert.equal(result.status, "background")
})

test("a failed job is an error with its exit code; an ended job is kept until it is read", async () => {
  const on = stage()
  const actor = await on.background("npm test")
  actor.print("1 failing\n")
  await actor.exit(3)
  assert.deepEqual(on.jobs.running(), [])
  const { call } = await on.begin({ job: 1 })
  const result = await call
  assert.equal(messages(result), "1 failing\n[Job 1 has ended.]\n\nCommand exited with code 3")
  assert.deepEqual([result.isError, result.status, result.details?.exit_code], [true, "error", 3])
})

test("a job is stopped on request of the model", async () => {
  const on = stage()
  const actor = await on.background("npm run dev")
  actor.print("last words\n")
  const { call } = await on.begin({ job: 1, stop: true })
  const result = await call
  assert.equal(messages(result), "last words\n[Job 1 was ended.]")
  assert.deepEqual([result.isError, result.status, actor.options.signal.aborted], [false, "ok", true])
  assert.deepEqual(on.jobs.running(), [])
})

test("a stopped job that is still there after 5 s is reported as such, and read later", async () => {
  const on = stage()
  const endless = Promise.withResolvers<ExecResult>()
  const tool = createBashTool("/work", {
    host: createMemoryHost({ exec: () => endless.promise }),
    clock: on.clock,
    jobs: on.jobs,
  })
  const begin = async (args: Parameters<typeof tool.execute>[1]) => {
    const call = tool.execute("call", args, context())
    await settle()
    return call
  }
  const command = begin({ command: "npm run dev" })
  await on.clock.advance(120_000)
  await command
  const stopping = begin({ job: 1, stop: true })
  await on.clock.advance(4_999)
  assert.equal(await Promise.race([stopping, settle()]), undefined)
  await on.clock.advance(1)
  const result = await stopping
  assert.equal(messages(result), 'Job 1 was told to end and is still there. Look again later with {"job":1}.')
  assert.equal(result.isError, true)
  endless.resolve({ code: null, signal: "SIGKILL" })
  assert.equal(messages(await begin({ job: 1 })), "(no output)\n[Job 1 was ended.]")
})

test("an abort ends the wait for a job, not the job; its output can still be read", async () => {
  const on = stage()
  const actor = await on.background("npm run dev")
  const stop = new AbortController()
  const waiting = await on.begin({ job: 1 }, { signal: stop.signal })
  actor.print("news\n")
  stop.abort()
  const result = await waiting.call
  assert.deepEqual([messages(result), result.status], ["Stopped waiting for job 1; it goes on.", "aborted"])
  assert.equal(actor.options.signal.aborted, false)
  const again = await on.begin({ job: 1 })
  await on.clock.advance(1_000)
  assert.match(await again.text(), /^news\n/)
})

test("new output of a job is shown while it is being read", async () => {
  const on = stage()
  const actor = await on.background("npm run dev")
  const deltas: string[] = []
  const { call } = await on.begin({ job: 1 }, { onProgress: (delta) => deltas.push(delta) })
  actor.print("a")
  await on.clock.advance(100)
  actor.print("b")
  await on.clock.advance(1_000)
  await call
  assert.deepEqual(deltas, ["a", "b"])
})

test("an unknown job number lists the existing ones; a job together with a command is an error", async () => {
  const on = stage()
  await on.background("npm run dev")
  await on.background("npm test")
  assert.equal(
    await (await on.begin({ job: 7 })).text(),
    "There is no job 7, or its end was told already. There are: 1 (npm run dev), 2 (npm test).",
  )
  assert.match(await (await on.begin({ job: 1, command: "ls" })).text(), /not both\. Nothing was run/)
  assert.equal(on.actors.length, 2)
  assert.deepEqual(on.tool.mapArguments?.({ job: 1, command: "" }), { job: 1 })
})

test("at most ten jobs run: the next command is killed at its timeout, with advice", async () => {
  const on = stage()
  for (let count = 1; count <= 10; count++) await on.background(`server ${count}`)
  const { call, actor } = await on.begin({ command: "server 11" })
  await on.clock.advance(120_000)
  const result = await call
  assert.match(
    messages(result),
    /^\[It could not go on in the background: 10 jobs are running already\. End one first, as with \{"job":1,"stop":true\}\.\]\n\nCommand timed out after 120 seconds$/,
  )
  assert.deepEqual([result.status, actor.options.signal.aborted], ["timeout", true])
})

test("of the ended, unread jobs at most twenty are kept", async () => {
  const on = stage()
  for (let count = 1; count <= 25; count++) await (await on.background(`build ${count}`)).exit(0)
  assert.deepEqual([on.jobs.all().length, on.jobs.all()[0]?.number], [20, 6])
})

test("the output of a job is truncated, with line numbers that continue, and complete in its file", async (t) => {
  const here = place(t)
  const artifacts = { put: async () => "", get: async () => null, spillPath: async (name: string) => here.at(name) }
  const on = stage()
  const { call, actor } = await on.begin({ command: "loud" }, { artifacts })
  actor.print("first\n")
  await on.clock.advance(120_000)
  await call
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `row ${from + at}\n`).join("")
  actor.print(rows(2, 3001))
  const reading = await on.begin({ job: 1 })
  await on.clock.advance(1_000)
  const text = await reading.text()
  assert.ok(text.startsWith("row 1002\n"))
  assert.match(text, /\nrow 3001\n\[Showing lines 1002-3001 of 3001\. Full output: .*\.log\]\n\[1000 lines omitted\. /)
  actor.print("row 3002\n")
  await actor.exit(0)
  const end = await on.begin({ job: 1 })
  assert.equal(await end.text(), "row 3002\n[Job 1 has ended with exit code 0.]")
  assert.equal(readFileSync(here.at("gong-bash-call.log"), "utf8"), `first\n${rows(2, 3002)}`)
})

test("the end of the session stops running jobs and lists them", async () => {
  const on = stage()
  const one = await on.background("npm run dev")
  const two = await on.background("npm test")
  await two.exit(0)
  assert.deepEqual(await on.jobs.end(), [{ number: 1, title: "npm run dev" }])
  assert.equal(one.options.signal.aborted, true)
  assert.deepEqual(on.ended, [[]])
  assert.deepEqual([on.jobs.running(), await on.jobs.end()], [[], []])
})

test("jobs to keep continue: the host receives their names", async () => {
  const on = stage()
  const actor = await on.background("npm run dev")
  assert.deepEqual(await on.jobs.end({ keep: true }), [{ number: 1, title: "npm run dev" }])
  assert.equal(actor.options.signal.aborted, false)
  assert.deepEqual(on.ended, [[actor.options.job]])
})

test("no file is opened for a job without new output", async (t) => {
  const here = place(t)
  const on = stage()
  const artifacts = { put: async () => "", get: async () => null, spillPath: async (name: string) => here.at(name) }
  const { actor } = await on.begin({ command: "x" }, { artifacts })
  actor.print("few\n")
  await on.clock.advance(120_000)
  await on.jobs.end()
  assert.equal(existsSync(here.at("gong-bash-call.log")), false)
})

test("[BASH-S.18] progress is reported at most ten times a second", async () => {
  const on = stage()
  const deltas: string[] = []
  const { actor, call } = await on.begin({ command: "loud" }, context({ onProgress: (delta) => deltas.push(delta) }))
  for (let ms = 0; ms < 1_000; ms++) {
    actor.print(`${ms}\n`)
    await on.clock.advance(1)
  }
  await actor.exit(0)
  await call
  assert.ok(deltas.length <= 11, `${deltas.length}`)
  assert.equal(deltas.join(""), Array.from({ length: 1_000 }, (_, ms) => `${ms}\n`).join(""))
})

test("notes of the host about a command are reported, also at the end of a job", async () => {
  const on = stage()
  const one = await on.begin({ command: "x" })
  one.actor.print("no\n")
  await one.actor.exit(1, "[blocked]")
  assert.equal(await one.text(), "no\n[blocked]\n\nCommand exited with code 1")
  const actor = await on.background("y")
  await actor.exit(0, "[blocked]")
  assert.equal(await (await on.begin({ job: 1 })).text(), "(no output)\n[blocked]\n[Job 1 has ended with exit code 0.]")
})

test("immediate output counts as progress, and a command that cannot start leaves no timer", async () => {
  const deltas: string[] = []
  const host = createMemoryHost({
    exec: async (_, { onData }) => {
      onData(Buffer.from("at once"), "stdout")
      throw Object.assign(new Error("no shell"), { code: "ENOENT" })
    },
  })
  const clock = manualClock()
  const tool = createBashTool("/work", { host, clock })
  const result = await tool.execute("c", { command: "x" }, context({ onProgress: (delta) => deltas.push(delta) }))
  assert.match(messages(result), /^ENOENT: /)
  assert.deepEqual([deltas, clock.waiting], [["at once"], 0])
})
