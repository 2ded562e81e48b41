import type { DatabaseSync, SQLInputValue } from "node:sqlite"

/** The index contains something that Gong did not write; it is built again. */
export class ForeignIndex extends Error {
  override name = "ForeignIndex"
}

type Check = (value: unknown) => boolean

/** The valid values of each column of a row. SQLite itself accepts any type in any column. */
export type Columns<R> = { readonly [Column in keyof R]-?: Check }

/** The rows of a query. Throws ForeignIndex for a value that Gong did not write, such as a wrong type or a path to the outside. */
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
/** The name of a tape's folder in the source; "." when the source is one tape. */
export const isFolder: Check = (value) => typeof value === "string" && (value === "." || /^[^./\0][^/\0]*$/.test(value))
/** The path of an entries file, relative to the tape's folder. */
export const isLinesFile: Check = (value) =>
  typeof value === "string" && /^anchors\/\d[^/\0]*\/entries\.jsonl$/.test(value)
