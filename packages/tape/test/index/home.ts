import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import type { TestContext } from "node:test"
import { openIndex, type TapeIndex } from "../../src/index/index.ts"
import { createTape, type Tape } from "../../src/index.ts"
import { createStore, type Disk, nodeDisk, type StorePorts } from "../../src/store/file.ts"
import { reopen, testPorts } from "../world.ts"

/** A folder of sessions on the real disk, where SQLite can work, and an index of it. */
export interface Home {
  readonly folder: string
  readonly sessions: string
  readonly file: string
  readonly ports: StorePorts
  make(id: string, workspace?: string): Tape
  reopen(id: string): Tape
  /** Another process that reads the same file. */
  index(disk?: Disk): TapeIndex
}

export function testHome(t: TestContext): Home {
  const folder = mkdtempSync(`${tmpdir()}/gong-index-`)
  const open: TapeIndex[] = []
  t.after(() => {
    for (const one of open) one.close()
    rmSync(folder, { recursive: true })
  })
  const sessions = `${folder}/sessions`
  mkdirSync(sessions)
  const ports = testPorts(nodeDisk())
  const file = `${folder}/index.db`
  return {
    folder,
    sessions,
    file,
    ports,
    make: (id, workspace = "/w") => createTape(createStore(ports, { sessions, id, cwd: workspace, workspace }), ports),
    reopen: (id) => reopen(ports, `${sessions}/${id}`),
    index(disk = ports.disk) {
      const index = openIndex({ disk, clock: ports.clock }, { file, source: { sessions } })
      open.push(index)
      return index
    },
  }
}

/** All entries that a search finds, as `session/entry`. */
export function foundBy(index: TapeIndex, question: string): readonly string[] {
  const hits = index.search(question, { limit: 1000, ofSession: 1000 })?.hits ?? []
  return hits.map(({ session, entry }) => `${session}/${entry.id}`).toSorted()
}
