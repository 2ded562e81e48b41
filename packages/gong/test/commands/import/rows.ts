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

/** One key a line, so that each has a line number of its own. */
export function jsonLines(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`
}

/** What `gong import --json` found, a line each: the state, what it is, where it is from, where it goes or why it does not. */
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
