import assert from "node:assert/strict"
import { test } from "node:test"
import { createJobs } from "../../../src/bash/background/jobs.ts"
import type { Command } from "../../../src/bash/command.ts"
import { createMemoryHost } from "../../../src/host/memory.ts"

let names = 0

/** A command that ends when the test or a stop says so. */
function command(text = "sleep") {
  const { promise, resolve } = Promise.withResolvers<{ readonly how: "stop" }>()
  let exited = false
  const seen: string[] = []
  const end = (): void => {
    exited = true
    resolve({ how: "stop" })
  }
  const name = `n${(names += 1)}`
  const played = {
    text,
    name,
    exit: () => (exited ? { how: "stop" } : null),
    ended: promise,
    stop({ how }: { readonly how: string }) {
      seen.push(`stopped: ${how}`)
      end()
    },
    output: { newest: () => `newest of ${text}`, end: async () => void seen.push("output ended") },
  }
  return { command: played as unknown as Command, end, seen, name }
}

test("jobs are numbered from 1, and listed with their titles while they run", () => {
  const jobs = createJobs()
  const [one, two] = [command("npm run dev"), command("npm test")]
  assert.deepEqual([jobs.add(one.command), jobs.add(two.command)], [1, 2])
  assert.deepEqual(jobs.running(), [
    { number: 1, title: "npm run dev" },
    { number: 2, title: "npm test" },
  ])
  one.end()
  assert.deepEqual([jobs.running().length, jobs.all().length], [1, 2])
  assert.equal(jobs.get(1), one.command)
  assert.deepEqual([jobs.output(2), jobs.output(3)], ["newest of npm test", null])
  jobs.forget(1)
  assert.deepEqual([jobs.get(1), jobs.all().length, jobs.add(command().command)], [undefined, 1, 3])
})

test("at most ten jobs run; of ended ones the oldest is dropped beyond twenty", () => {
  const jobs = createJobs()
  const running = Array.from({ length: 10 }, () => command())
  for (const [at, one] of running.entries()) assert.equal(jobs.add(one.command), at + 1)
  assert.equal(jobs.add(command().command), null)
  running[1]?.end()
  const more = Array.from({ length: 10 }, () => command())
  for (const one of more) {
    assert.notEqual(jobs.add(one.command), null)
    one.end()
  }
  assert.equal(jobs.all().length, 20)
  const last = command()
  assert.equal(jobs.add(last.command), 21)
  assert.equal(jobs.all().length, 20)
  assert.deepEqual([jobs.get(1) !== undefined, jobs.get(2), running[1]?.seen], [true, undefined, ["output ended"]])
})

test("a running job is stopped, an ended or unknown one is not", async () => {
  const jobs = createJobs()
  const one = command()
  jobs.add(one.command)
  assert.deepEqual([await jobs.stop(1), await jobs.stop(1), await jobs.stop(9)], [true, false, false])
  assert.deepEqual(one.seen, ["stopped: stop"])
})

test("calls that wait for a command are moved to the background; their jobs are returned", () => {
  const jobs = createJobs()
  const [one, two, three] = [command("one"), command("two"), command("three")]
  jobs.add(three.command)
  const forget = jobs.foreground(() => jobs.add(one.command))
  jobs.foreground(() => jobs.add(two.command))
  forget()
  jobs.foreground(() => null)
  assert.deepEqual(jobs.background(), [{ number: 2, title: "two" }])
})

test("the end stops all jobs and ends their hosts; kept ones go on", async () => {
  for (const keep of [false, true]) {
    const jobs = createJobs()
    const ended: unknown[] = []
    const host = createMemoryHost()
    jobs.uses({ ...host, endJobs: async (kept) => void ended.push(kept) })
    const [one, two] = [command("one"), command("two")]
    jobs.add(one.command)
    jobs.add(two.command)
    one.end()
    assert.deepEqual(await jobs.end({ keep }), [{ number: 2, title: "two" }])
    assert.deepEqual(ended, [keep ? [two.name] : []])
    assert.deepEqual(two.seen, keep ? ["output ended"] : ["stopped: stop", "output ended"])
    assert.deepEqual([one.seen, jobs.all()], [["output ended"], []])
    await jobs.end()
    assert.equal(ended.length, 1, "a host is ended once")
  }
})
