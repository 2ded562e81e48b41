import type { PublishedStep } from "@gong/spec"
import type { Session } from "../../src/session.ts"
import type { SimProcess } from "./process.ts"
import type { SimWorld } from "./world.ts"

/** After this time with an open question, the person stops the run. */
const patience = 600_000

/** Answers questions in their own time, which may be too late, or never. */
export function person(world: SimWorld, process: SimProcess, session: Session): (step: PublishedStep) => void {
  const { model: rng, answerTime } = world.plan
  /** The call of each open question. */
  const calls = new Map<string, string>()
  const thoughts = new Map<string, () => void>()

  /** The user's own delay; questions of a paused process stay open. */
  function later(ms: number, act: () => void): () => void {
    let cancel = world.clock.timer(ms, () => {
      if (process.frozen) cancel = later(1000, act)
      else if (process.alive) act()
    })
    return () => cancel()
  }

  function asked(id: string, callId: string): void {
    calls.set(id, callId)
    if (rng.chance(0.1)) {
      world.count("never answered")
      thoughts.set(id, later(patience, session.abort))
      return
    }
    const choice = rng.chance(0.3) ? "no" : "once"
    const tell = (): void => {
      if (session.reply(id, { choice }) !== "taken") world.count("answered late")
    }
    thoughts.set(id, later(rng.int(60_000), tell))
  }

  return (step) => {
    if (!process.alive || !("notification" in step)) return
    const { notification } = step
    if (notification.code === "permission_request")
      return asked(notification.id, notification.toolCallId ?? notification.id)
    if (notification.code !== "permission_end") return
    // A call without permission must not run, whatever the source of the decision.
    if (notification.choice === "no") world.refused.add(calls.get(notification.id) ?? "")
    calls.delete(notification.id)
    // A late answer is sent all the same.
    if (notification.by !== "timeout" || answerTime === null) thoughts.get(notification.id)?.()
    thoughts.delete(notification.id)
  }
}
