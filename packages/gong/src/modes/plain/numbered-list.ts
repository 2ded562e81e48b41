import type { LineReader } from "../../terminal/lines.ts"
import type { ListQuestion } from "../dialogs.ts"
import type { OutputStreams } from "../output-streams.ts"

/** Rows of one page of a list. */
const PAGE_ROWS = 15

/** Shows a numbered list and reads a number, which may be full-width (interface part 8). Null: none. */
export async function chooseByNumber(
  lines: Pick<LineReader, "question" | "requeue">,
  streams: OutputStreams,
  { question, rows, enter }: ListQuestion,
): Promise<number | null> {
  const width = String(rows.length).length
  const listed = rows.map((row, at) => `  ${String(at + 1).padStart(width)}  ${row}`)
  streams.err(`${[question, ...listed.slice(0, PAGE_ROWS)].join("\n")}\n`)
  for (let shown = Math.min(PAGE_ROWS, rows.length); ;) {
    const left = rows.length - shown
    const more = left === 0 ? "" : streams.t`, + for ${left} more`
    const answer = await lines.question(streams.t`1-${rows.length}${more}, ${enter} > `)
    const typed = answer?.normalize("NFKC").trim() ?? ""
    if (typed === "") return null
    if (typed === "+" && left > 0) {
      streams.err(`${listed.slice(shown, shown + PAGE_ROWS).join("\n")}\n`)
      shown = Math.min(shown + PAGE_ROWS, rows.length)
      continue
    }
    // Another command leaves the list, and runs.
    if (typed.startsWith("/")) return (lines.requeue(typed), null)
    const picked = /^\d{1,9}$/.test(typed) ? Number(typed) : 0
    if (picked >= 1 && picked <= rows.length) return picked - 1
    streams.err(streams.t`Type a number from 1 to ${rows.length}, or Enter.\n`)
  }
}
