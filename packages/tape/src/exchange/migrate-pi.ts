import type { PiRecord } from "./pi.ts"

/** The records of a Pi file of any version, its header first, in the form of version 3. `newId` creates missing ids. */
export function migratePi(records: readonly PiRecord[], newId: () => string): readonly PiRecord[] {
  const version = versionOf(records)
  const second = version < 2 ? toVersion2(records, newId) : records
  return version < 3 ? toVersion3(second) : second
}

/** Files of version 1 contain no version. */
export function versionOf(records: readonly PiRecord[]): number {
  const version = records[0]?.["version"]
  return typeof version === "number" ? version : 1
}

/** Version 1 was a list: each entry is the child of the one before, and a compaction refers to a line instead of an entry. */
function toVersion2(records: readonly PiRecord[], newId: () => string): readonly PiRecord[] {
  const ids = records.map((record) => (record["type"] === "session" ? null : newId()))
  let parentId: string | null = null
  return records.map((record, at) => {
    const id = ids[at]
    if (id === null || id === undefined) return record
    const next: Record<string, unknown> = { ...record, id, parentId }
    parentId = id
    if (record["type"] !== "compaction") return next
    const kept = ids[Number(record["firstKeptEntryIndex"])]
    if (typeof kept === "string") next["firstKeptEntryId"] = kept
    delete next["firstKeptEntryIndex"]
    return next
  })
}

/** Version 2 had the role `hookMessage` for messages of extensions. */
function toVersion3(records: readonly PiRecord[]): readonly PiRecord[] {
  return records.map((record) => {
    if (record["type"] === "session") return { ...record, version: 3 }
    const message = record["message"] as PiRecord | null | undefined
    if (record["type"] !== "message" || message?.["role"] !== "hookMessage") return record
    return { ...record, message: { ...message, role: "custom" } }
  })
}
