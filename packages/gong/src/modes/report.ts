import type { RunEnd } from "@gong/spec"
import type { RunSummary } from "../session/result.ts"
import type { Surface } from "./surface.ts"

/** Why a run did not end as it should; also what was refused on the way. */
export function report(surface: Surface, end: RunEnd, summary: RunSummary): void {
  // Under --strict the refusal is the failure itself, and said once.
  const denials = end.status === "refused" ? [] : summary.denials
  for (const denial of denials) surface.err(`gong: ${denial.tool} was ${lowerFirst(firstLine(denial.reason))}\n`)
  if (end.status === "done" || !end.failure || end.status === "interrupted") return
  const { message, hint } = end.failure
  surface.err(`gong: ${hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`}\n`)
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? ""
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
