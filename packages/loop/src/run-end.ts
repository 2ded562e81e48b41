import { failure, type RunEnd, phrase, type Text } from "@gong/spec"
import type { Reached } from "./limits/limits.ts"
import * as texts from "./texts.ts"

/** End of a run before its natural end. */
export type Ended = Omit<RunEnd, "turns">

export function interrupted(): Ended {
  return { status: "interrupted", failure: failure("aborted", texts.aborted) }
}

export function stoppedByHook(why: Text): Ended {
  return { status: "failed", failure: failure("denied", texts.endedByHook(why)) }
}

export function limitEnd(limit: Reached | "repeat"): Ended {
  // As without prices, where a cost limit is rejected before the first request.
  if (limit === "unknown-cost")
    return { status: "limit", limit: "cost", failure: failure("limit", texts.unknownCost, { hint: texts.watchable }) }
  return { status: "limit", limit, failure: failure("limit", limitText(limit)) }
}

function limitText(limit: string): Text {
  if (limit === "repeat") return phrase`The same calls gave the same results 5 times in a row.`
  return phrase`The limit of this run was reached: ${limit}.`
}
