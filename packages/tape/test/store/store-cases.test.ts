import { englishOf } from "@gong/spec"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { createStore, type Disk, memoryDisk, nodeDisk, openStore, type SyncMode } from "../../src/store/file.ts"
import { testIds, testMachine, testPorts } from "../world.ts"
import { storeCases, type StoreUnderTest } from "./store-cases.ts"

interface Kind {
  readonly name: string
  use(work: (given: StoreUnderTest) => Promise<void>): Promise<void>
}

/** Of this machine: a power cut cannot be made there. */
function onThisMachine(name: string, syncMode: SyncMode): Kind {
  return {
    name,
    async use(work) {
      const folder = mkdtempSync(join(tmpdir(), "gong-store-"))
      const ports = { ...testPorts(nodeDisk()), syncMode }
      const store = createStore(ports, { sessions: `${folder}/sessions`, id: "s1", cwd: "/w", workspace: "/w" })
      const again = () => openStore(ports, { path: `${folder}/sessions/s1`, readOnly: true })
      try {
        await work({ store, sync: async () => store.settled() ?? undefined, again, refuse: null })
      } finally {
        if (englishOf(store.readOnly) !== "closed") store.close()
        rmSync(folder, { recursive: true })
      }
    },
  }
}

interface Simulated {
  readonly syncMode: SyncMode
  /** No sync in the thread pool ends before `sync` allows it, like a sync of 50 ms without a waiter. */
  readonly late?: boolean
  readonly refuses?: boolean
  /** As with `--no-session`: it cannot be found again. */
  readonly forgets?: boolean
}

function simulated(name: string, { syncMode, late = false, refuses = false, forgets = false }: Simulated): Kind {
  return {
    name,
    async use(work) {
      const pool = latePool()
      let broken = false
      const disk = memoryDisk({
        fault: ({ name: call }) => (broken && /^sync(InPool)?$/.test(call) ? { code: "EIO" } : null),
        ...(late ? { pool: pool.begin } : {}),
      })
      const store = createStore(
        { ...testPorts(disk), syncMode },
        { sessions: "/sessions", id: "s1", cwd: "/w", workspace: "/w" },
      )
      const again = (powerCut: boolean) => {
        if (powerCut) disk.powerCut()
        return openStore(later(disk), { path: "/sessions/s1" })
      }
      const refuse = refuses ? () => void (broken = true) : null
      await work({ store, sync: pool.finish, again: forgets ? null : again, refuse })
    },
  }
}

/** Another process, after this one has died. */
function later(disk: Disk) {
  return { ...testPorts(disk), ids: testIds("z"), machine: testMachine(900) }
}

/** Rounds in which a sync may start the next. */
const maxRounds = 50

/** A thread pool in which the test decides when work ends. */
function latePool() {
  const waiting: (() => void)[] = []
  return {
    begin: (): Promise<void> => new Promise((resolve) => waiting.push(resolve)),
    async finish(): Promise<void> {
      for (let round = 0; round < maxRounds; round++) {
        for (const end of waiting.splice(0)) end()
        for (let tick = 0; tick < 10; tick++) await Promise.resolve()
      }
    },
  }
}

const kinds: readonly Kind[] = [
  onThisMachine("a file, synced at once", "at-once"),
  onThisMachine("a file, synced in the thread pool", "thread-pool"),
  simulated("memory", { syncMode: "at-once", forgets: true }),
  simulated("power cuts, synced at once", { syncMode: "at-once" }),
  simulated("power cuts, synced in the thread pool", { syncMode: "thread-pool" }),
  simulated("every sync ends late", { syncMode: "thread-pool", late: true }),
  simulated("a sync is refused at once", { syncMode: "at-once", refuses: true }),
  simulated("a sync is refused in the thread pool", { syncMode: "thread-pool", refuses: true }),
  simulated("a sync is refused late", { syncMode: "thread-pool", late: true, refuses: true }),
]

for (const kind of kinds) {
  for (const { title, run } of storeCases) test(`${kind.name}: ${title}`, () => kind.use(run))
}
