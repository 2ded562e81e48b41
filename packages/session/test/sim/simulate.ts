import { checkArguments, type Entry, type Failure, failureOf, type RunEnd } from "@gong/spec"
import { settlePromises } from "@gong/testing/sim/clock"
import { createAllTools } from "@gong/tools"
import { act } from "./acts.ts"
import { between } from "./between.ts"
import type { Counts } from "./counts.ts"
import { begin, type Life, wasTaken } from "./life.ts"
import { apis, planOf, type PlannedPrompt } from "./plan.ts"
import { cutPower } from "./power.ts"
import { checkEnd, checkRest } from "./rest.ts"
import { leave } from "./second-process.ts"
import { holds, same, Violation } from "./violation.ts"
import { simWorld, type SimWorld } from "./world.ts"

export interface Outcome {
  readonly seed: number
  /** The violation; null if none. */
  readonly violation: string | null
  /** The same for the same seed, whatever happens around it. */
  readonly digest: string
  readonly did: SimWorld["did"] & { readonly effects: number; readonly ms: number }
  readonly counts: Counts
}

/** One seed, one world: prompts with disturbances, crashes and resumes, and all invariants. */
export async function simulate(seed: number): Promise<Outcome> {
  await (ready ??= loadAll())
  const world = simWorld(planOf(seed))
  const began = world.clock.now()
  let violation: string | null = null
  try {
    await live(world)
  } catch (error) {
    violation = error instanceof Violation ? error.message : `it broke: ${error instanceof Error ? error.stack : error}`
  } finally {
    world.process?.kill()
  }
  const did = { ...world.did, effects: world.effects.length, ms: world.clock.now() - began }
  return { seed, violation, digest: world.digest(), did, counts: world.counts }
}

let ready: Promise<void> | undefined

/** Lazy imports take real time, for which no simulated clock waits. */
async function loadAll(): Promise<void> {
  await import("../../src/compaction/compact-session.ts")
  for (const { parameters } of Object.values(createAllTools("/work"))) await checkArguments(parameters, {})
  const life = await begin(simWorld(planOf(0)))
  for (const api of apis) await life.provider(api)
  life.process.kill()
}

async function live(world: SimWorld): Promise<void> {
  let life = await revive(world)
  for (const prompt of world.plan.prompts) {
    const became = await runPrompt(world, life, prompt)
    if (became === "over") life = await revive(world)
    else checkRest(world, life, became === "ran")
  }
  await checkEnd(world, life, () => revive(world))
}

/** Starts processes until one survives: a crash may happen while the session is opened. */
async function revive(world: SimWorld): Promise<Life> {
  let cutBefore = false
  for (;;) {
    if (world.process?.alive === false) await afterCrash(world)
    try {
      const life = await begin(world)
      if (life.process.alive) return life
    } catch (error) {
      if (world.process?.alive !== false) throw error
    }
    world.count("crash while opening")
    const isCut = world.lastCrash?.powerCut === true
    if (isCut) world.count("power cut while opening")
    else if (cutBefore) world.count("kill while opening after a power cut")
    cutBefore = isCut
  }
}

async function afterCrash(world: SimWorld): Promise<void> {
  const crash = world.lastCrash
  world.lastCrash = null
  // Pending work of the dead process has no effect.
  for (let round = 0; round < 3; round++) await settlePromises()
  world.writer = null
  if (crash?.elsewhere === true) world.machine = world.machine === "here" ? "there" : "here"
  if (crash?.powerCut === true) cutPower(world, crash)
}

/** `over`: the process has ended or lost the session. `taken`: a hook took the input, and there was no run. */
async function runPrompt(world: SimWorld, life: Life, prompt: PlannedPrompt): Promise<"ran" | "taken" | "over"> {
  const { session, process, tape } = life
  const { before } = prompt
  if (before !== null && !(await settled(world, life, between[before](world, life))).alive) return "over"
  world.model.begin(prompt.rounds, prompt.outages)
  let ends: readonly Entry[] = []
  const lengthBefore = tape.all.length
  const unsubscribe = session.subscribe((step) => {
    if ("entries" in step) ends = [...ends, ...step.entries.filter(({ type }) => type === "run_end")]
  })
  const stopActing = act(world, life, prompt.acts)
  const { alive, value: end } = await settled(world, life, promptOf(life, prompt.text))
  stopActing()
  unsubscribe()
  if (!alive || end === undefined) return "over"
  if (world.second !== null) {
    // A hook may have taken the input; then there was nothing to write.
    const { status, turns } = end as RunEnd
    const isTheirs = ends.length > 0 && wasTaken(world, life, ends)
    holds(
      isTheirs || (ends.length === 0 && (status === "failed" || turns === 0)),
      () => `a process that lost its session ended its run: ${status}`,
    )
    leave(life, world, world.second)
    return "over"
  }
  // A hook may have taken or refused the message: then none was written, and nothing of it met a failure of the disk.
  const met = hasMessage(tape, lengthBefore) ? (end as RunEnd) : null
  if (!(await allKept(world, life, prompt, met))) return "over"
  await settled(world, life, life.jobs.end())
  await calm(world, life)
  return process.alive ? (ends.length > 0 ? "ran" : "taken") : "over"
}

/** Reports of the session about the end of a run are true, even if entries are written later. False: the process has ended. */
async function allKept(
  world: SimWorld,
  life: Life,
  { afterFull }: PlannedPrompt,
  end: RunEnd | null,
): Promise<boolean> {
  const { session, tape } = life
  const failedBefore = tape.store.readOnly !== null
  let why: Failure | null = null
  for (const [tries, trouble] of [world.trouble, afterFull, null].entries()) {
    world.trouble = trouble
    const asked = await settled(world, life, session.unwritten())
    if (!asked.alive) return false
    why = asked.value ?? null
    const kept = tape.all.length === tape.store.length && tape.settled() === null
    same(why === null, kept, "what a run says that is not kept")
    if (kept || tape.store.readOnly !== null) break
    if (tries === 0) world.count("run ended on a full disk")
  }
  world.trouble = null
  if (tape.store.readOnly !== null) {
    // Its disk failed at a sync: nothing was acknowledged since, and another process continues with the tape.
    if (failedBefore && end !== null) same(end.failure?.kind, "storage", "how a run ends whose disk failed at a sync")
    world.count("sync in the thread pool failed")
    life.process.kill()
    return false
  }
  holds(why === null, () => "there is room, and the tape is still stalled")
  world.journal.settled()
  return true
}

/** A session taken by another process, or with a failed disk, accepts no input: it is not acknowledged. */
async function promptOf({ session, tape }: Life, text: string): Promise<RunEnd> {
  try {
    return await session.prompt(text)
  } catch (error) {
    if (tape.store.readOnly === null || failureOf(error).kind !== "storage") throw error
    return { status: "failed", turns: 0, failure: failureOf(error) }
  }
}

interface Settled<T> {
  /** The process is alive. */
  readonly alive: boolean
  readonly value?: T
}

/** Advances time until the work ends or its process is dead. Errors of the work are thrown. */
async function settled<T>(world: SimWorld, life: Life, work: Promise<T>): Promise<Settled<T>> {
  let over = false
  const end = (): void => void (over = true)
  work.then(end, end)
  await pull(world, life, () => over && !life.process.frozen)
  return life.process.alive ? { alive: true, value: await work } : { alive: false }
}

/** Milliseconds after which hooks that observe have answered or timed out. */
const longestWatch = 11_000

/** Waits for work that may continue after a run: observing hooks, and a compaction by command. */
async function calm(world: SimWorld, { session, process, tape }: Life): Promise<void> {
  const until = world.clock.now() + (session.running ? 3_600_000 : longestWatch)
  const works = (): boolean => session.running || process.holds.timers > 1 || tape.settled() !== null
  while (process.alive && works() && world.clock.now() < until) {
    await world.clock.advance(100)
  }
}

const maxTimers = 20_000

/** Advances time, timer by timer, until something ends or the process is dead. */
async function pull(world: SimWorld, life: Life, over: () => boolean): Promise<void> {
  for (let count = 0; ; count++) {
    await settlePromises()
    const [seen] = world.witnessed
    holds(seen === undefined, () => seen ?? "")
    if (over() || !life.process.alive) return
    holds(count < maxTimers, () => `the run has not ended after ${maxTimers} timers`)
    holds(world.clock.step(), () => "the run waits, and nothing will ever wake it")
  }
}

/** Whether a prompt is among the entries from this index on. */
function hasMessage({ all }: Life["tape"], from: number): boolean {
  for (let at = from; at < all.length; at++) {
    const entry = all.entry(at)
    if (entry.type === "input" && entry.kind === "prompt") return true
  }
  return false
}
