import assert from "node:assert/strict"
import type { Program, Ran } from "../program.ts"

interface Row {
  readonly area: string
  readonly what: string
  readonly from: string
  readonly to?: string
  readonly note?: string | null
  readonly reason?: string
}

/** One key per line, so that each has its own line number. */
export function jsonLines(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`
}

/** The items of `gong import --json`, one per line: state, kind, source, and destination or reason. */
export function rowsOf(program: Pick<Program, "plain">, { status, out, err }: Ran): readonly string[] {
  assert.deepEqual([status, err], [0, ""])
  const found = JSON.parse(program.plain(out)) as Readonly<Record<"taken" | "there" | "left", readonly Row[]>>
  return (["taken", "there", "left"] as const).flatMap((state) =>
    found[state].map((row) => {
      const end = row.to === undefined ? row.reason : [row.to, ...(row.note ? [`(${row.note})`] : [])].join(" ")
      return `${state} ${row.area}: ${row.what} <- ${row.from}: ${end}`
    }),
  )
}
