import { refusalForPeople, type RunEnd } from "@gong/spec"
import type { RunSummary } from "@gong/session/result"
import type { Surface } from "./surface.ts"
import type { Translate } from "@gong/texts/translator"

/** Why a run did not end as it should; also what was refused on the way. */
export function report(surface: Surface, end: RunEnd, summary: RunSummary): void {
  // Under --strict the refusal is the failure itself, and said once.
  const denials = end.status === "refused" ? [] : summary.denials
  for (const denial of denials) surface.err(`${denialText(surface.t, denial)}\n`)
  if (end.status === "done" || !end.failure || end.status === "interrupted") return
  const hint = surface.t.hint(end.failure)
  const what = refusalForPeople(surface.t(end.failure))
  surface.err(`gong: ${hint === null ? what : surface.t`${what.replace(/[.。]$/, "")}. ${hint}`}\n`)
}

/** What a model read is English; where the language is another one, it begins with a word of that. */
function denialText(t: Translate, { tool, reason, phrase }: RunSummary["denials"][number]): string {
  const why = lowerFirst(refusalForPeople(firstLine(phrase ? t(phrase) : reason)))
  return reason.startsWith("Refused: ") ? t`gong: ${tool} was ${why}` : t`gong: ${tool} was refused: ${why}`
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? ""
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
