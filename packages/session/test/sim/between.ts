import type { Session } from "../../src/session.ts"
import type { Life } from "./life.ts"
import { files } from "./model.ts"
import { apis, type Between } from "./plan.ts"
import { same } from "./violation.ts"
import type { SimWorld } from "./world.ts"

/** A user's action before a prompt; a longer one ends with the promise. */
export const between: Readonly<Record<Between, (world: SimWorld, life: Life) => Promise<void>>> = {
  // The prompt arrives during the work, and is answered afterwards.
  async compact(_, { session }) {
    session.compact().catch(() => undefined)
  },
  async undo(world, { session }) {
    const undone = await session.undo()
    if (undone.restored.length > 0) world.count("files undone")
    // Changes on an abandoned branch can no longer be undone.
    if (world.branched) return
    same([undone.kept, undone.lost], [[], []], "files that were not put back, though only the session changed them")
    same(await filesOf(world), files, "the files after everything was undone")
  },
  async "undo-compaction"(world, { session, tape, surface }) {
    if (session.undoCompaction() === null) return
    begunAnew(world)
    world.count("compaction undone")
    // Entries that are not settled yet are shown later.
    await tape.settled()
    surface.lookAgain(tape)
  },
  async "change-model"(world, { session, provider }) {
    const others = apis.filter((api) => api !== world.api)
    const api = others[world.plan.model.int(others.length)] ?? world.api
    session.selectModel({ provider: await provider(api) })
    world.api = api
    world.count("model changed")
  },
  async "leave-branch"(world, { session, tape, surface }) {
    const ends = tape.entriesOfBranch().filter(({ type }) => type === "run_end")
    const target = ends[world.plan.model.int(ends.length - 1)]
    if (target === undefined) return
    const going = session.checkoutWithSummary(target.id, "")
    const { status, summary } = await maybeStopped(world, session, 2_000, going)
    if (status === "interrupted") return
    world.count(status === "done" ? "branch summed up" : "branch not summed up")
    same(summary !== "", status === "done", "a branch has a summary when one was made")
    begunAnew(world)
    // Entries that are not settled yet are shown later.
    await tape.settled()
    surface.lookAgain(tape)
  },
  async command(world, { session }) {
    const ms = world.plan.model.int(60_000)
    const end = session.command({ command: `work 0 ${ms} 0` })
    await maybeStopped(world, session, 30_000, end)
    world.count("user's own command")
  },
}

/** Some have no patience, and stop it within so many milliseconds. */
async function maybeStopped<T>(world: SimWorld, session: Session, ms: number, work: Promise<T>): Promise<T> {
  const { model: rng } = world.plan
  const cancel = rng.chance(0.2) ? world.clock.timer(rng.int(ms), session.abort) : () => {}
  return work.finally(cancel)
}

/** Ids of calls are unique on a branch. */
function begunAnew(world: SimWorld): void {
  world.branched = true
  world.refused.clear()
  world.done.clear()
}

async function filesOf({ host }: SimWorld): Promise<Readonly<Record<string, string>>> {
  const names = (await host.readdir("/work")).map(({ name }) => `/work/${name}`).toSorted()
  const texts = names.map(async (name) => [name, Buffer.from(await host.readRange(name, 0)).toString()] as const)
  return Object.fromEntries(await Promise.all(texts))
}
