import type { Entry, NewEntry } from "@gong/spec"
import { type Difference, firstDifference } from "./difference.ts"
import { isAside } from "./plan.ts"

/** Whether a run writes it again, and at this place: inputs have a way of their own, and a prompt is built of what it says. */
export function isCompared(entry: Entry | NewEntry): boolean {
  if (entry.type === "change") return entry.file === undefined
  return entry.type !== "input" && entry.type !== "prompt" && !isAside(entry.type)
}

/** Null: they say the same. Ids and times are left out, and words about a network that is not there now. */
export function entryDifference(recorded: Entry, replayed: Entry): Difference | null {
  return firstDifference(essence(recorded), essence(replayed))
}

/** Fields of a line that are made anew each time. */
const ownFields: ReadonlySet<string> = new Set(
  "id parentId timestamp crc inputId draftId firstKeptEntryId upTo title durationMs firstTokenMs phrase".split(" "),
)

function essence(entry: Entry): unknown {
  const { message, failure, ...rest } = entry as Entry & { message?: object; failure?: { kind: string } }
  return {
    ...without(rest),
    ...(message && { message: without(message) }),
    ...(failure && { failure: failure.kind }),
  }
}

function without(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !ownFields.has(name)))
}
