import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { openStage, type Stage } from "../program/harness.ts"
import { answer, original, type Scenario } from "./scenarios.ts"

/** A scenario's home and repository, restored before each point. */
export interface Place {
  readonly stage: Stage
  readonly scenario: Scenario
  reset(): void
  close(): Promise<void>
}

export async function openPlace(scenario: Scenario): Promise<Place> {
  const closing: (() => unknown)[] = []
  const context = { after: (work: () => unknown) => void closing.push(work) } as unknown as TestContext
  const stage = await openStage(context, { otherwise: answer })
  const kept = join(stage.root, "kept")
  // Twice: the second time Node's compile cache exists and is not written again.
  for (let n = 0; n < 2; n++) {
    clear(stage)
    await scenario.prepare(stage)
  }
  mkdirSync(kept)
  for (const name of ["gong", "repo"])
    cpSync(join(stage.root, name), join(kept, name), { recursive: true, force: true })
  return {
    stage,
    scenario,
    reset() {
      clear(stage)
      for (const name of ["gong", "repo"]) cpSync(join(kept, name), join(stage.root, name), { recursive: true })
    },
    async close() {
      for (const work of closing) await work()
    },
  }
}

function clear({ gongHome, repo }: Stage): void {
  rmSync(gongHome, { recursive: true, force: true })
  mkdirSync(gongHome)
  for (const name of ["a.txt", "new"]) rmSync(join(repo, name), { recursive: true, force: true })
}

/** Null when every file of the user is a whole version of itself. */
export function damagedFile({ read }: Stage): string | null {
  const whole: Readonly<Record<string, readonly (string | null)[]>> = {
    "a.txt": [original, original.replace("second", "2nd")],
    "new/d.txt": ["d\n", null],
  }
  for (const [path, versions] of Object.entries(whole)) {
    const text = textOf(read, path)
    if (!versions.includes(text)) return `${path} is ${JSON.stringify(text)}`
  }
  return null
}

function textOf(read: Stage["read"], path: string): string | null {
  try {
    return read(path)
  } catch {
    return null
  }
}

/** The lines of a session as bytes, by file. */
export function bytesOf(files: readonly string[]): string {
  return files.map((file) => readFileSync(file, "latin1")).join("")
}
