import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import type { Sessions } from "@gong/spec"
import { createSessions } from "../../src/sessions/create-sessions.ts"
import { readsHere } from "../../src/sessions/reads.ts"
import { sessionsThread } from "../../src/sessions/thread/reads.ts"
import { type Disk, memoryDisk, nodeDisk, type StorePorts, type SyncMode } from "../../src/store/file.ts"
import { testClock, testIds, testMachine, testPorts } from "../world.ts"
import { sessionsCases } from "./cases.ts"
import type { SessionsUnderTest } from "./under-test.ts"

interface Kind {
  readonly name: string
  use(work: (given: SessionsUnderTest) => Promise<void>): Promise<void>
}

const pid = 100
/** A process beside the writer, and one that starts after the writer's end. */
const beside = { ids: testIds("y"), machine: testMachine(200, "here", { [pid]: `boot/ns/${pid}` }) }
const afterwards = { ids: testIds("z"), machine: testMachine(900), clock: testClock(Date.UTC(2025, 0, 2)) }

function over(ports: StorePorts, home: string, reads = readsHere): Sessions {
  const index = ports.disk.inMemory ? ":memory:" : `${home}/index.db`
  const place = { ports, sessions: `${home}/sessions`, trash: `${home}/trash`, index, spillFolder: null }
  return createSessions(place, reads(place))
}

/** Of this machine: a power cut cannot be made there. */
function onThisMachine(name: string, reads: typeof readsHere): Kind {
  return {
    name,
    async use(work) {
      const home = mkdtempSync(join(tmpdir(), "gong-sessions-"))
      const ports = testPorts(nodeDisk())
      try {
        await work({
          sessions: over(ports, home, reads),
          ports,
          pid,
          other: () => over({ ...ports, ...beside }, home, reads),
          later: () => over({ ...ports, ...afterwards }, home, reads),
        })
      } finally {
        rmSync(home, { recursive: true })
      }
    },
  }
}

/** Every read from a later process follows a power cut. */
function withPowerCuts(syncMode: SyncMode): Kind {
  return {
    name: `files with power cuts, synced ${syncMode}`,
    async use(work) {
      const disk = memoryDisk({ now: ticking() })
      const ports = { ...testPorts(disk), syncMode }
      const later = (): Sessions => {
        disk.powerCut()
        return over({ ...ports, ...afterwards }, "/home")
      }
      await work({
        sessions: over(ports, "/home"),
        ports,
        pid,
        other: () => over({ ...ports, ...beside }, "/home"),
        later,
      })
    },
  }
}

/** As with `--no-session`: there is one process, and nothing outlives it. */
const inMemory: Kind = {
  name: "memory",
  async use(work) {
    const disk: Disk = memoryDisk({ now: ticking() })
    const ports = testPorts(disk)
    const sessions = over(ports, "/home")
    await work({ sessions, ports, pid, other: () => sessions, later: () => sessions })
  },
}

/** Each time is later than the one before: two sessions are never written at once. */
function ticking(): () => number {
  let now = Date.UTC(2025, 0, 1)
  return () => now++
}

const kinds: readonly Kind[] = [
  onThisMachine("files", readsHere),
  onThisMachine("files read in a thread", sessionsThread(testClock()).reads),
  withPowerCuts("at-once"),
  withPowerCuts("thread-pool"),
  inMemory,
]

for (const kind of kinds) {
  for (const { title, run } of sessionsCases) test(`${kind.name}: ${title}`, () => kind.use(run))
}
