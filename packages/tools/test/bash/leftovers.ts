import { execFileSync } from "node:child_process"
import { sleeper } from "@gong/testing/processes"
import { type Way, ways } from "./ways.ts"

/** The ways that this machine has the programs for, each with what is left of it. */
export interface Leaving {
  readonly way: Way
  /** For bash; ends by itself. */
  readonly command: string
  /** Whether what it leaves is there. */
  alive(): boolean
  kill(): void
}

/** Each call gives commands whose leftovers nobody else has. */
export function leavings(): readonly Leaving[] {
  return ways.filter(isPossible).map((way) => {
    const { command, alive, kill } = sleeper()
    return { way, command: `S="${command}"\n${way.command}`, alive, kill }
  })
}

/** Asks again until it is so; false after 10 s. */
export async function eventually(isSo: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 500; turn++) {
    if (isSo()) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return isSo()
}

function isPossible({ needs = [] }: Way): boolean {
  return needs.every((program) => {
    try {
      execFileSync("bash", ["-c", `command -v ${program}`], { stdio: "ignore" })
      return true
    } catch {
      return false
    }
  })
}
