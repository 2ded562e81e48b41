import type { Entry } from "@gong/spec"
import { listTapes, openStore } from "@gong/tape/file"
import { sessions, storePorts } from "./open.ts"
import type { Crash } from "./plan-acts.ts"
import type { SimWorld } from "./world.ts"

/** A power cut while no process is alive. Checks at once that every durable entry is present. */
export function cutPower(world: SimWorld, { torn }: Pick<Crash, "torn">): void {
  const { model: rng } = world.plan
  world.disk.powerCut({
    length: (unsynced) => Math.floor(unsynced * torn),
    sector: () => torn === 0 || rng.chance(0.9),
    names: () => rng.chance(0.3),
  })
  world.count("power cut")
  world.journal.check(entriesOnDisk(world), true)
}

/** Read before the next process starts: that one may append entries, sync none of them, and be killed before its own check. */
function entriesOnDisk(world: SimWorld): readonly Entry[] {
  const reader = world.spawn(world.machine)
  const ports = storePorts(world, reader)
  const left = listTapes(ports.disk, sessions).flatMap(({ path }) => {
    const store = openStore(ports, { path, readOnly: true })
    const entries = store.heads().map((_, place) => store.entry(place))
    store.close()
    return entries
  })
  reader.kill()
  return left
}
