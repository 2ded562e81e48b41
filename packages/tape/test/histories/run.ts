import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Head } from "@gong/spec"
import { createStore, nodeDisk, nodeMachine, openStore, type StorePorts } from "../../src/store/file.ts"
import { createTape } from "../../src/index.ts"
import { testClock, testIds } from "../world.ts"

export interface History {
  /** Entries that a process was promised, in the order in which that process heard it. */
  readonly acknowledged: readonly (readonly string[])[]
  /** The final content of the tape. */
  readonly heads: readonly Head[]
  readonly damaged: number
  /** Violations found by a process itself. */
  readonly broken: readonly string[]
  readonly killed: number
  readonly refused: number
  readonly forked: number
}

export interface HistoryOptions {
  readonly processes: number
  /** Of open, append or fork, close; of each process. */
  readonly rounds: number
  readonly seed: number
}

/** Starts many processes on one tape; each that dies is replaced by a new one. */
export async function makeHistory({ processes, rounds, seed }: HistoryOptions): Promise<History> {
  const sessions = mkdtempSync(join(tmpdir(), "gong-histories-"))
  try {
    const path = `${sessions}/shared`
    createTape(createStore(ports(), { sessions, id: "shared", cwd: "/", workspace: "/" }), ports()).close()
    const reported = Array.from({ length: processes }, () => ({ printed: [] as Said[], killed: 0 }))
    await Promise.all(reported.map((one, at) => lives(path, "abcdefgh"[at] ?? "x", rounds, seed * 1000 + at, one)))
    const store = openStore(ports(), { path, readOnly: true })
    store.close()
    const printed = reported.flatMap((one) => one.printed)
    return {
      acknowledged: reported.map((one) => one.printed.flatMap(({ appended }) => appended ?? [])),
      heads: store.heads(),
      damaged: store.damage.length,
      broken: printed.flatMap(({ broken }) => broken ?? []),
      killed: reported.reduce((sum, one) => sum + one.killed, 0),
      refused: printed.filter(({ refused }) => refused !== undefined).length,
      forked: printed.filter(({ forked }) => forked !== undefined).length,
    }
  } finally {
    rmSync(sessions, { recursive: true })
  }
}

/** Violations in a history: entries that were lost, duplicated, reordered or hidden on a branch. */
export function wrongIn({ acknowledged, heads, damaged, broken }: History): readonly string[] {
  const wrong = [...broken]
  if (damaged > 0) wrong.push(`${damaged} damaged lines`)
  const places = new Map<string, number>()
  for (const [place, { id, parentId }] of heads.entries()) {
    if (places.has(id)) wrong.push(`entry ${id} is there twice`)
    places.set(id, place)
    if (parentId !== (heads[place - 1]?.id ?? null)) wrong.push(`entry ${id} does not follow the one before it`)
  }
  for (const ids of acknowledged) {
    let last = -1
    for (const id of ids) {
      const place = places.get(id)
      if (place === undefined) wrong.push(`entry ${id} is lost`)
      else if (place <= last) wrong.push(`entry ${id} stands before one that was promised earlier`)
      last = place ?? last
    }
  }
  return wrong
}

interface Said {
  readonly appended?: readonly string[]
  readonly round?: number
  readonly refused?: number
  readonly forked?: number
  readonly broken?: string
}

async function lives(
  path: string,
  worker: string,
  rounds: number,
  seed: number,
  reported: { printed: Said[]; killed: number },
): Promise<void> {
  let left = rounds
  for (let life = 0; left > 0; life++) {
    const { printed, status, errors } = await once(path, [
      worker,
      String(life),
      String(left),
      String(seed * 997 + life),
    ])
    reported.printed.push(...printed)
    if (status === 0) return
    if (status !== null) throw new Error(`worker ${worker} ended with ${status}: ${errors}`)
    reported.killed += 1
    left -= 1 + Math.max(-1, ...printed.map((one) => one.round ?? one.refused ?? -1))
  }
}

const program = new URL("worker.ts", import.meta.url).pathname

async function once(path: string, args: readonly string[]) {
  const child = spawn(process.execPath, [program, path, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  const text = async (stream: AsyncIterable<Buffer>): Promise<string> => {
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  }
  const exit = new Promise<number | null>((resolve) => child.once("close", (status) => resolve(status)))
  const [out, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  const lines = out.split("\n").filter((line) => line !== "")
  return { printed: lines.map((line) => JSON.parse(line) as Said), status, errors }
}

function ports(): StorePorts {
  return { disk: nodeDisk(), clock: testClock(Date.now()), ids: testIds("z"), machine: nodeMachine() }
}
