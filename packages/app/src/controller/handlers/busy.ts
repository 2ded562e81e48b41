import { phrase } from "@gong/spec"
import { type Answer, refuse } from "../answer.ts"
import type { ControllerState } from "../api.ts"

/** The refusal of a command that would disturb the work in progress; null when nothing works. */
export function busy({ run, working }: Pick<ControllerState, "run" | "working">): Answer<never> | null {
  if (run !== null) {
    const which = run.name === null ? phrase`A run begins.` : phrase`The run ${run.name} works.`
    return refuse("busy", which, phrase`use steer or follow_up, or abort it first`)
  }
  if (working === null) return null
  const what = {
    bash: phrase`A command works.`,
    branch: phrase`The summary of a branch works.`,
    compaction: phrase`A compaction works.`,
  }
  return refuse("busy", what[working], phrase`wait for its response, or abort it`)
}
