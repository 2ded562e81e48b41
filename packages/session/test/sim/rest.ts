import { context, pending, type Tape } from "@gong/tape"
import { checkCalls, checkFolds, checkInputs, everything } from "./checks.ts"
import type { Life } from "./life.ts"
import { secret } from "./model.ts"
import { sessions } from "./open.ts"
import { nameOfModel } from "./plan.ts"
import { cutPower } from "./power.ts"
import { holds, same } from "./violation.ts"
import type { SimWorld } from "./world.ts"

/** The lock's beat, the end of the tape and the lock's file; bodies are read through one more. */
const atRest = { timers: 1, replies: 0, commands: 0 }
const mostFiles = 3

/** Invariants after every run. `ran`: false if a hook handled the input without a run. */
export function checkRest(world: SimWorld, life: Life, ran: boolean): void {
  const { tape, session, running, process, followed, surface, readers, torn } = life
  const entries = tape.entriesOfBranch()
  if (ran) same(entries.findLast(({ type }) => !meanwhile.has(type))?.type, "run_end", "the last entry after a run")
  same([session.running, running.size, world.writer], [false, 0, null], "something still runs after the run")
  const { files, ...held } = process.holds
  same(held, atRest, "what a session at rest holds")
  // A file that is closed during a sync in the thread pool is closed after it.
  const most = world.plan.slowestSync === null ? mostFiles : mostFiles + 1
  holds(files <= most, () => `a session at rest has ${files} files open`)
  same(session.questions, [], "questions that nobody can answer any more")
  holds(!world.retries.open, () => "a retry that began has no end")
  same(world.fallbacks.rest(), [], "the chosen model holds again")
  same(session.selection.provider.model.provider, nameOfModel(0), "the model of the next run")
  checkCalls(entries.filter(({ id }) => !torn.has(id)))
  checkInputs(entries, tape.follow(pending).value)
  if (!world.branched) checkQueue(life)
  checkFolds(tape, followed)
  surface.check(tape)
  readers.check()
  same(world.server.problems, [], "requests that the API would refuse")
  const printed = JSON.stringify(tape.follow(context).value.messages)
  holds(!printed.includes(secret), () => "a secret is on the tape")
}

/** A user's actions at the very end of a run, and the return to the chosen model. */
const meanwhile: ReadonlySet<string> = new Set(["input", "input_drop", "model_change", "thinking_level_change"])

/** Inputs pending on the tape are still queued in the session: no accepted input is lost. */
function checkQueue({ tape, session }: Life): void {
  const { steer, followUp } = session.waiting
  const known = [...steer, ...followUp].map(({ id }) => id).toSorted()
  same(
    known,
    [...tape.follow(pending).value.keys()].toSorted(),
    "messages that the session knows of, and those that wait",
  )
}

/** All activity has ended, all resources are released, and the next process finds all entries. */
export async function checkEnd(world: SimWorld, life: Life, next: () => Promise<Life>): Promise<void> {
  const { steps, processes } = world.did
  const effects = world.effects.length
  await world.clock.advance(900_000)
  // The beat of its lock may be where a crash is planned.
  if (!life.process.alive) return void (await next())
  same([world.did.steps, world.effects.length], [steps, effects], "something happened after the end")
  const before = everything(life.tape)
  const closed = close(life)
  if (closed) {
    same(life.process.holds, { timers: 0, files: 0, replies: 0, commands: 0 }, "what a closed session holds")
    same(world.disk.list(`${sessions}/${life.session.id}`).includes("lock"), false, "a closed session is locked")
  }
  // A power cut may restore its lock; then no process may take it for alive.
  life.process.kill()
  if (closed && before.length > life.found) cutAfterClose(world)
  const { tape } = await next()
  // After a crash in between, the journal has the guaranteed entries.
  if (!closed || world.did.processes > processes + 1) return
  same(JSON.stringify(everything(tape).slice(0, before.length)), JSON.stringify(before), "what the next process finds")
}

/** Closing a session that was written makes all of it durable. */
function cutAfterClose(world: SimWorld): void {
  world.journal.published([], { written: true, settled: true, synced: true })
  if (world.plan.model.chance(0.5)) cutPower(world, { torn: 0 })
}

/** False when the process ended while it closed the session. */
function close({ tape, process }: { readonly tape: Tape; readonly process: Life["process"] }): boolean {
  try {
    tape.close()
    return true
  } catch (error) {
    if (process.alive) throw error
    return false
  }
}
