import { refusalForPeople, type RunEnd } from "@gong/spec"
import type { RunSummary } from "@gong/session/result"
import type { OutputStreams } from "./output-streams.ts"
import type { Translate } from "@gong/texts/translator"

/** Prints the refused calls of a run, and its failure. */
export function report(streams: OutputStreams, end: RunEnd, summary: RunSummary): void {
  // Under --strict the failure is the refusal itself.
  const denials = end.status === "refused" ? [] : summary.denials
  for (const denial of denials) streams.err(`${denialText(streams.t, denial)}\n`)
  if (end.status === "done" || !end.failure || end.status === "interrupted") return
  const hint = streams.t.hint(end.failure)
  const what = refusalForPeople(streams.t(end.failure))
  streams.err(`gong: ${hint === null ? what : streams.t`${what.replace(/[.。]$/, "")}. ${hint}`}\n`)
}

/** The same in a conversation, without what the user refused, and with a line after an interruption. */
export function reportInConversation(streams: OutputStreams, end: RunEnd, summary: RunSummary): void {
  report(streams, end, { ...summary, denials: summary.denials.filter((denial) => !isByUser(denial)) })
  if (end.status === "interrupted") streams.err(streams.t`Stopped.\n`)
}

function isByUser({ phrase }: RunSummary["denials"][number]): boolean {
  return phrase?.id.startsWith("Refused: the user said no") === true
}

/** The reason that the model read is English; translated by its phrase if it has one. */
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
