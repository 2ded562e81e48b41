import type { DatabaseSync, SQLInputValue } from "node:sqlite"

/** Something in the file of an index that Gong did not write; the file is made anew. */
export class ForeignIndex extends Error {
  override name = "ForeignIndex"
}

type Check = (value: unknown) => boolean

/** What may stand in each column of a row. SQLite itself keeps anything anywhere. */
export type Columns<R> = { readonly [Column in keyof R]-?: Check }

/** The rows of a query. Throws ForeignIndex for one that Gong did not write: a type that is none, a path that leads out. */
export function rowsOf<R>(
  db: DatabaseSync,
  columns: Columns<R>,
  sql: string,
  ...values: readonly SQLInputValue[]
): readonly R[] {
  const rows = db.prepare(sql).all(...values)
  const checks = Object.entries<Check>(columns)
  for (const row of rows)
    for (const [column, fits] of checks)
      if (!fits(row[column])) throw new ForeignIndex(`a row of the index has no such ${column}`)
  return rows as unknown as readonly R[]
}

export const isText: Check = (value) => typeof value === "string"
export const isTextOrNull: Check = (value) => value === null || typeof value === "string"
export const isNumber: Check = (value) => typeof value === "number"
export const isCount: Check = (value) => typeof value === "number" && value >= 0
/** Milliseconds since the epoch that a Date can hold. */
export const isTime: Check = (value) => typeof value === "number" && Math.abs(value) <= 8.64e15
/** The name of a tape's folder in its source; "." for a tape that is the source. */
export const isFolder: Check = (value) => typeof value === "string" && (value === "." || /^[^./\0][^/\0]*$/.test(value))
/** An entries file, as seen from the tape's folder. */
export const isLinesFile: Check = (value) =>
  typeof value === "string" && /^anchors\/\d[^/\0]*\/entries\.jsonl$/.test(value)
