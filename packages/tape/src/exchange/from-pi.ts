import { type Entry, type Ids, type ImportedSession, readJson, phrase } from "@gong/spec"
import { failure, FailureError, isRecord } from "@gong/spec"
import { bodyFromPi } from "./pi-body.ts"
import { migratePi, versionOf } from "./migrate-pi.ts"
import type { PiRecord } from "./pi.ts"

/** A session of Pi, read. */
export interface ImportResult extends ImportedSession {
  /** Lines that were invalid, and were left out or corrected; the first line is 1. */
  readonly problems: readonly { readonly line: number; readonly reason: string }[]
}

/**
 * Reads a session file of Pi, version 1 to 3, including exports of Gong. Every line becomes an entry or a problem. Throws
 * FailureError (`bad-request`) when the file is not a session.
 */
export function fromPi(text: string, ids: Ids, now: number): ImportResult {
  const problems: { line: number; reason: string }[] = []
  const lines = recordsOf(text, problems)
  const [header] = lines
  if (header === undefined || header.record["type"] !== "session" || typeof header.record["id"] !== "string") {
    throw new FailureError(
      failure("bad-request", phrase`This is no session of Pi: its first line is not the head of one.`),
    )
  }
  const records = migratePi(
    lines.map(({ record }) => record),
    () => ids.entry(),
  )
  if (versionOf(records) > 3) problems.push({ line: 1, reason: `version ${versionOf(records)} is newer than 3` })
  const [head = {}, ...rest] = records
  const created = timeOf(head["timestamp"], new Date(now).toISOString())
  const found = chained(rest, { session: header.record["id"], created, ids, report })
  const cwd = typeof head["cwd"] === "string" && head["cwd"] !== "" ? head["cwd"] : "/"
  const own = isRecord(head["gong"]) ? head["gong"] : {}
  const workspace = typeof own["workspace"] === "string" ? own["workspace"] : cwd
  const where = { ...(typeof own["host"] === "string" && { host: own["host"] }), cwd, workspace }
  return { id: header.record["id"], ...where, created, entries: found, problems: problems.toSorted(byLine) }

  function report(at: number, reason: string): void {
    problems.push({ line: lines[at + 1]?.line ?? 0, reason })
  }
}

const byLine = (a: { readonly line: number }, b: { readonly line: number }): number => a.line - b.line

function recordsOf(text: string, problems: { line: number; reason: string }[]) {
  const records: { readonly line: number; readonly record: PiRecord }[] = []
  let line = 0
  for (const part of text.replace(/^\uFEFF/, "").split("\n")) {
    line += 1
    if (part.trim() === "") continue
    const record = parsed(part)
    if (typeof record === "string") problems.push({ line, reason: record })
    else records.push({ line, record })
  }
  return records
}

/** The record of a line, or why it has none. */
function parsed(line: string): PiRecord | string {
  const read = readJson(line)
  if (!read.ok) return read.tooDeep ? read.problem : "not JSON"
  return isRecord(read.value) ? read.value : "not an object"
}

interface Chaining {
  readonly session: string
  readonly created: string
  readonly ids: Ids
  report(at: number, reason: string): void
}

/** The records as entries of one tree: with ids of Gong's form, and parents before their children. */
function chained(records: readonly PiRecord[], { session, created, ids, report }: Chaining): readonly Entry[] {
  const entries: Entry[] = []
  /** Gong's ids by the ids of the file. */
  const known = new Map<unknown, string>()
  const ours = (id: unknown): string | null => known.get(id) ?? null
  for (const [at, record] of records.entries()) {
    const written = record["id"]
    const above = entries.at(-1)
    if (typeof written !== "string" || known.has(written)) {
      report(at, typeof written === "string" ? `a second entry with id ${written}` : "an entry without an id")
      continue
    }
    const body = bodyFromPi(record, ours)
    if (typeof body === "string") {
      report(at, body)
      continue
    }
    const parent = record["parentId"]
    const isRoot = parent === null || parent === undefined || parent === session
    const parentId = isRoot ? null : (ours(parent) ?? above?.id ?? null)
    if (!isRoot && ours(parent) === null) report(at, "its parent is not there; it follows the entry above it")
    const id = /^[0-9a-z]{12}$/.test(written) ? written : ids.entry()
    known.set(written, id)
    const timestamp = timeOf(record["timestamp"], above?.timestamp ?? created)
    entries.push(Object.assign({ id, parentId, type: body.type, timestamp }, body) as Entry)
  }
  return entries
}

/** A valid timestamp for the head of a line; `otherwise` for an invalid one. */
function timeOf(value: unknown, otherwise: string): string {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]{1,20}Z$/.test(value)) return value
  const time = typeof value === "string" || typeof value === "number" ? new Date(value) : new Date(Number.NaN)
  return Number.isNaN(time.getTime()) ? otherwise : time.toISOString()
}
