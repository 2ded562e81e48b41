import { checkArguments } from "@gong/spec"
import { context, pending } from "@gong/tape"
import { settle } from "@gong/testing/sim/clock"
import { createAllTools } from "@gong/tools"
import { checkCalls, checkFolds, checkInputs } from "./checks.ts"
import { begin, type Life } from "./life.ts"
import { secret } from "./model.ts"
import { type Act, planOf, type PlannedPrompt } from "./plan.ts"
import type { Plant } from "./plants.ts"
import type { RetryCounts } from "./retries.ts"
import { holds, same, Violation } from "./violation.ts"
import { simWorld, type SimWorld } from "./world.ts"

export interface Outcome {
  readonly seed: number
  /** What did not hold; null when all did. */
  readonly violation: string | null
  /** The same for the same seed, whatever happens around it. */
  readonly digest: string
  readonly processes: number
  readonly requests: number
  readonly steps: number
  readonly effects: number
  readonly retries: RetryCounts
  /** Simulated milliseconds. */
  readonly time: number
}

/** One seed, one world: prompts with what disturbs them, crashes and what comes after, and everything that must hold. */
export async function simulate(seed: number, plant: Plant | null = null): Promise<Outcome> {
  await (ready ??= loadAll())
  const world = simWorld(planOf(seed))
  const began = world.clock.now()
  let violation: string | null = null
  try {
    await live(world, plant)
  } catch (error) {
    violation = error instanceof Violation ? error.message : `it broke: ${error instanceof Error ? error.stack : error}`
  } finally {
    world.process?.kill()
  }
  return {
    seed,
    violation,
    digest: world.digest(),
    processes: world.counts.processes,
    requests: world.counts.requests,
    steps: world.counts.steps,
    effects: world.effects.length,
    retries: world.retries.counts,
    time: world.clock.now() - began,
  }
}

let ready: Promise<void> | undefined

/** What is loaded when it is first needed takes real time, and no simulated clock waits for that. */
async function loadAll(): Promise<void> {
  for (const { parameters } of Object.values(createAllTools("/work"))) await checkArguments(parameters, {})
}

async function live(world: SimWorld, plant: Plant | null): Promise<void> {
  let life = await revive(world, plant)
  for (const prompt of world.plan.prompts) {
    if (await runPrompt(world, life, prompt)) {
      await life.jobs.end()
      checkRest(world, life)
    } else life = await revive(world, plant)
  }
  await checkEnd(world, life, plant)
}

/** Starts processes until one lives: a crash may come while the session is opened. */
async function revive(world: SimWorld, plant: Plant | null): Promise<Life> {
  for (;;) {
    if (world.process?.alive === false) await afterCrash(world)
    try {
      const life = await begin(world, plant)
      if (life.process.alive) return life
    } catch (error) {
      if (world.process?.alive !== false) throw error
    }
  }
}

async function afterCrash(world: SimWorld): Promise<void> {
  const crash = world.lastCrash
  holds(crash !== null, () => "a process ended that no plan ended")
  // What the dead process still had in hand comes to nothing.
  for (let round = 0; round < 3; round++) await settle()
  world.writer = null
  if (!crash.powerCut) return
  world.disk.powerCut((unsynced) => Math.floor(unsynced * crash.torn))
  world.powerWasCut = true
}

/** True when the run ended, false when the process did. */
async function runPrompt(world: SimWorld, life: Life, prompt: PlannedPrompt): Promise<boolean> {
  const { session, process, tape } = life
  world.model.begin(prompt.rounds)
  const stopActing = act(world, life, prompt.acts)
  const run: { result: "works" | "ended" | "failed"; error?: unknown } = { result: "works" }
  session.prompt(prompt.text).then(
    () => (run.result = "ended"),
    (error: unknown) => Object.assign(run, { result: "failed", error }),
  )
  await pull(world, life, () => run.result !== "works")
  stopActing()
  if (!process.alive) return false
  if (run.result === "failed") throw run.error
  world.trouble = null
  const written = tape.flush()
  holds(written || !process.alive, () => `there is room, and the tape is still stalled: ${tape.stalled?.message}`)
  return process.alive
}

const maxTimers = 20_000

/** Lets time go on, timer by timer, until something is over or the process is dead. */
async function pull(world: SimWorld, life: Life, over: () => boolean): Promise<void> {
  for (let count = 0; ; count++) {
    await settle()
    const [seen] = world.witnessed
    holds(seen === undefined, () => seen ?? "")
    if (over() || !life.process.alive) return
    holds(count < maxTimers, () => `the run has not ended after ${maxTimers} timers`)
    holds(world.clock.step(), () => "the run waits, and nothing will ever wake it")
  }
}

/** Brings the planned disturbances about; the returned function takes back those that have not happened. */
function act(world: SimWorld, life: Life, acts: readonly Act[]): () => void {
  const { session } = life
  const seen = new Map<string, number>()
  const reach = (moment: string): void => {
    const count = (seen.get(moment) ?? 0) + 1
    seen.set(moment, count)
    for (const { what, at } of acts) {
      const due =
        "step" in at
          ? moment === "step" && at.step === count
          : "entry" in at && at.entry === moment && at.count === count
      if (due) perform(world, life, what)
    }
  }
  const unsubscribe = session.subscribe((step) => {
    reach("step")
    if ("entries" in step) for (const { type } of step.entries) reach(type)
    if ("notice" in step) reach(step.notice.code)
  })
  const cancels = acts.flatMap(({ what, at }) =>
    "ms" in at ? world.clock.timer(at.ms, () => perform(world, life, what)) : [],
  )
  return () => {
    unsubscribe()
    for (const cancel of cancels) cancel()
  }
}

function perform(world: SimWorld, { session, process }: Life, what: Act["what"]): void {
  if (!process.alive || !session.running) return
  world.trace(what)
  switch (what) {
    case "steer-now":
      session.steer("steer now")
      return
    case "steer-after-tool":
      session.steer("steer after the tool", { when: "after-tool" })
      return
    case "follow-up":
      session.followUp("follow up")
      return
    case "abort":
      session.abort()
      return
    case "disk-full":
      world.trouble = "full"
      return
    case "disk-error":
      world.trouble = "error"
      return
    case "disk-room":
      world.trouble = null
      return
  }
}

/** What holds whenever a run has ended. */
function checkRest(world: SimWorld, life: Life): void {
  const { tape, session, running, process, followed } = life
  const entries = tape.entriesOfBranch()
  same(entries.findLast(({ type }) => type !== "input")?.type, "run_end", "the last entry after a run")
  same([session.running, running.size, world.writer], [false, 0, null], "something still runs after the run")
  // The beat of the session's lock goes on; nothing else does.
  same(process.timers, 1, "timers that wait after a run")
  holds(!world.retries.open, () => "a retry that began has no end")
  checkCalls(entries)
  checkInputs(entries, tape.follow(pending).value)
  checkFolds(tape, followed)
  same(world.server.problems, [], "requests that the API would refuse")
  const said = JSON.stringify(tape.follow(context).value.messages)
  holds(!said.includes(secret), () => "a secret is on the tape")
}

/** After the last run nothing happens any more, and the next process finds everything. */
async function checkEnd(world: SimWorld, life: Life, plant: Plant | null): Promise<void> {
  const { steps } = world.counts
  const effects = world.effects.length
  await world.clock.advance(900_000)
  same([world.counts.steps, world.effects.length], [steps, effects], "something happened after the end")
  const before = life.tape.entriesOfBranch()
  const { processes } = world.counts
  const closed = close(life)
  if (closed) same(life.process.timers, 0, "timers of a closed session")
  const next = await revive(world, plant)
  // After a crash on the way the journal knows what had to be there.
  if (!closed || world.counts.processes > processes + 1) return
  const after = next.tape.entriesOfBranch().slice(0, before.length)
  same(JSON.stringify(after), JSON.stringify(before), "what the next process finds")
}

/** False when the process ended while it closed the session. */
function close({ tape, process }: Life): boolean {
  try {
    tape.close()
    return true
  } catch (error) {
    if (process.alive) throw error
    return false
  }
}
