import { execFileSync } from "node:child_process"
import { sleeper } from "@gong/testing/processes"
import { type Way, ways } from "./ways.ts"

/** The ways to detach for which this machine has the programs. */
export interface Leaving {
  readonly way: Way
  /** A bash script that ends by itself. */
  readonly command: string
  /** Whether the detached process is running. */
  alive(): boolean
  kill(): void
}

/** Each call returns commands with uniquely identifiable leftovers. */
export function leavings(): readonly Leaving[] {
  return ways.filter(isPossible).map((way) => {
    const { command, alive, kill } = sleeper()
    return { way, command: `S="${command}"\n${way.command}`, alive, kill }
  })
}

/** Polls until true; false after 10 s. */
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
