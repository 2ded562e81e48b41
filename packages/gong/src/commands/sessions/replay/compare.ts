import type { Entry, NewEntry } from "@gong/spec"
import { type Difference, firstDifference } from "./difference.ts"
import { isExternal } from "./plan.ts"

/** Whether a replayed run writes this entry at the same position. Inputs are submitted separately, and the prompt is read from the tape. */
export function isCompared(entry: Entry | NewEntry): boolean {
  if (entry.type === "change") return entry.file === undefined
  return entry.type !== "input" && entry.type !== "prompt" && !isExternal(entry.type)
}

/** Null if they are equal, apart from ids, times and the messages of network failures. */
export function entryDifference(recorded: Entry, replayed: Entry): Difference | null {
  return firstDifference(comparable(recorded), comparable(replayed))
}

/** Fields that differ in every run. */
const volatileFields: ReadonlySet<string> = new Set(
  "id parentId timestamp crc inputId draftId firstKeptEntryId upTo title durationMs firstTokenMs phrase".split(" "),
)

function comparable(entry: Entry): unknown {
  const { message, failure, ...rest } = entry as Entry & { message?: object; failure?: { kind: string } }
  return {
    ...withoutVolatile(rest),
    ...(message && { message: withoutVolatile(message) }),
    ...(failure && { failure: failure.kind }),
  }
}

function withoutVolatile(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !volatileFields.has(name)))
}
