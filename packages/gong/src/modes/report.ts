import { refusalForPeople, type RunEnd } from "@gong/spec"
import type { RunSummary } from "../session/result.ts"
import type { Surface } from "./surface.ts"
import { say, told } from "../texts/say.ts"

/** Why a run did not end as it should; also what was refused on the way. */
export function report(surface: Surface, end: RunEnd, summary: RunSummary): void {
  // Under --strict the refusal is the failure itself, and said once.
  const denials = end.status === "refused" ? [] : summary.denials
  for (const denial of denials) surface.err(`${denialText(denial.tool, firstLine(denial.reason))}\n`)
  if (end.status === "done" || !end.failure || end.status === "interrupted") return
  const { message, hint } = end.failure
  const what = refusalForPeople(told(message))
  surface.err(`gong: ${hint === undefined ? what : say`${what.replace(/[.。]$/, "")}. ${told(hint)}`}\n`)
}

/** What a model read is English; where the language is another one, it begins with a word of that. */
function denialText(tool: string, reason: string): string {
  const why = lowerFirst(refusalForPeople(told(reason)))
  return reason.startsWith("Refused: ") ? say`gong: ${tool} was ${why}` : say`gong: ${tool} was refused: ${why}`
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? ""
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
