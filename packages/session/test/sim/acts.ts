import type { Life } from "./life.ts"
import type { Act, Happening } from "./plan-acts.ts"
import { freeze, look } from "./second-process.ts"
import type { SimWorld } from "./world.ts"

/** Starts the planned disturbances; the returned function cancels those that have not happened. */
export function act(world: SimWorld, life: Life, acts: readonly Act[]): () => void {
  const { session } = life
  const seen = new Map<string, number>()
  const reach = (moment: string): void => {
    const count = (seen.get(moment) ?? 0) + 1
    seen.set(moment, count)
    for (const act of acts) {
      const { at } = act
      const due =
        "step" in at
          ? moment === "step" && at.step === count
          : "entry" in at && at.entry === moment && at.count === count
      if (due) perform(world, life, act)
    }
  }
  const unsubscribe = session.subscribe((step) => {
    reach("step")
    if ("entries" in step) for (const { type } of step.entries) reach(type)
    if ("notification" in step) reach(step.notification.code)
  })
  const cancels = acts.flatMap((act) =>
    "ms" in act.at ? world.clock.timer(act.at.ms, () => perform(world, life, act)) : [],
  )
  return () => {
    unsubscribe()
    for (const cancel of cancels) cancel()
  }
}

/** A process that is dead, paused, or has lost its session cannot be reached. */
function perform(world: SimWorld, life: Life, act: Act): void {
  const { process, session } = life
  if (!process.alive || process.frozen || process !== world.process || !session.running) return
  world.trace(act.what)
  if (act.what === "freeze") freeze(world, life, act)
  else happen[act.what](world, life)
}

/** Acknowledged input survives, unless the session reported a wait for the disk; refused input has no guarantee. */
function accepted(world: SimWorld, { process, tape }: Life, acknowledged: Promise<string>): void {
  const stalled = tape.stalled !== null
  const note = (id: string): void => {
    if (!stalled && process.alive && process === world.process) world.acknowledged.add(id)
  }
  acknowledged.then(note, () => undefined)
}

const happen: Readonly<Record<Happening, (world: SimWorld, life: Life) => void>> = {
  "steer-now": (world, life) => accepted(world, life, life.session.steer("steer now")),
  "steer-after-tool": (world, life) =>
    accepted(world, life, life.session.steer("steer after the tool", { when: "after-tool" })),
  "follow-up": (world, life) => accepted(world, life, life.session.followUp("follow up")),
  "take-back"(world, { session }) {
    if (session.waiting.steer.length + session.waiting.followUp.length > 0) world.count("message taken back")
    session.dequeue(null).catch(() => undefined)
  },
  abort(world, { session }) {
    if (session.questions.length > 0) world.count("asked and stopped")
    session.abort()
  },
  "disk-full"(world) {
    world.trouble = "full"
    world.wasFull = true
  },
  "disk-error"(world) {
    world.trouble = "error"
  },
  "disk-room"(world) {
    world.trouble = null
  },
  "second-process": look,
}
