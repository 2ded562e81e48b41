import type { TestContext } from "node:test"
import type { UnreadableSession } from "@gong/spec"
import { openIndex, type TapeIndex } from "../../src/index/index.ts"
import { createTape, type Tape } from "../../src/index.ts"
import { type CreateOptions, createStore, type Disk, memoryDisk } from "../../src/store/file.ts"
import { readWhole } from "../../src/store/disk/disk.ts"
import { putFile, testClock, testIds, testMachine } from "../world.ts"

export const sessions = "/sessions"

/** Sessions on a disk in memory whose modification times come from the clock, and indexes of them in memory. */
export function memoryHome(t: TestContext) {
  const clock = testClock()
  const disk = memoryDisk({ now: () => clock.now() })
  const ports = { disk, clock, ids: testIds(), machine: testMachine() }
  const reported: (readonly UnreadableSession[])[] = []
  return {
    disk,
    clock,
    ports,
    told: reported,
    make(id: string, more: Partial<CreateOptions> = {}): Tape {
      return createTape(createStore(ports, { sessions, id, cwd: "/w", workspace: "/w", ...more }), ports)
    },
    index(own: Disk = disk, now: () => number = clock.now): TapeIndex {
      const onUnreadable = (all: readonly UnreadableSession[]): void => void reported.push(all)
      const index = openIndex({ disk: own, clock: { now } }, { file: ":memory:", source: { sessions }, onUnreadable })
      t.after(() => index.close())
      return index
    },
    /** Changes a file past any store. */
    edit(path: string, change: (text: string) => string): void {
      putFile(disk, path, Buffer.from(change(Buffer.from(readWhole(disk, path) ?? []).toString())))
    },
  }
}

export const linesOf = (id: string, phase = "001_session-start"): string =>
  `${sessions}/${id}/anchors/${phase}/entries.jsonl`
