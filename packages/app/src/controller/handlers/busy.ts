import { phrase } from "@gong/spec"
import { type Answer, refuse } from "../answer.ts"
import type { ControllerState } from "../api.ts"

/** The refusal of a command during other work; null if there is none. */
export function busy({ run, working }: Pick<ControllerState, "run" | "working">): Answer<never> | null {
  if (run !== null) {
    const which = run.name === null ? phrase`A run is starting.` : phrase`The run ${run.name} is in progress.`
    return refuse("busy", which, phrase`use steer or follow_up, or abort it first`)
  }
  if (working === null) return null
  const what = {
    bash: phrase`A command is running.`,
    branch: phrase`The summary of a branch is in progress.`,
    compaction: phrase`A compaction is in progress.`,
  }
  return refuse("busy", what[working], phrase`wait for its response, or abort it`)
}
