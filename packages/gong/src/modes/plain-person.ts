import type { LineReader } from "../terminal/lines.ts"
import type { UserDialogs } from "@gong/app/slash/result"
import type { OutputStreams } from "./output-streams.ts"

/** Rows of one page of a list. */
const PAGE_ROWS = 15

/** Dialogs of slash commands, line by line: lists are numbered, and numbers may be full-width (interface part 8). */
export function plainPerson(lines: LineReader, streams: OutputStreams, copy: UserDialogs["copy"]): UserDialogs {
  const typed = async (prompt: string) => (await lines.question(prompt))?.normalize("NFKC").trim() ?? null
  return {
    async choose(question, rows) {
      const width = String(rows.length).length
      const listed = rows.map((row, at) => `  ${String(at + 1).padStart(width)}  ${row}`)
      streams.err(`${[question, ...listed.slice(0, PAGE_ROWS)].join("\n")}\n`)
      for (let shown = Math.min(PAGE_ROWS, rows.length); ;) {
        const left = rows.length - shown
        const more = left === 0 ? "" : streams.t`, + for ${left} more`
        const answer = await typed(streams.t`1-${rows.length}${more}, Enter for none > `)
        if (answer === null || answer === "") return null
        if (answer === "+" && left > 0) {
          streams.err(`${listed.slice(shown, shown + PAGE_ROWS).join("\n")}\n`)
          shown = Math.min(shown + PAGE_ROWS, rows.length)
          continue
        }
        // Another command leaves the list, and runs.
        if (answer.startsWith("/")) return (lines.requeue(answer), null)
        const picked = /^\d{1,9}$/.test(answer) ? Number(answer) : 0
        if (picked >= 1 && picked <= rows.length) return picked - 1
        streams.err(streams.t`Type a number from 1 to ${rows.length}, or Enter.\n`)
      }
    },
    confirm: async (question) => /^y(es)?$/i.test((await typed(streams.t`${question} [y]es [n]o: `)) ?? ""),
    line: async (question, secret = false) => {
      const line = await lines.question(question, { secret })
      return line === null || line.trim() === "" ? null : line.trim()
    },
    copy,
    keys,
  }
}

const keys: UserDialogs["keys"] = [
  ["Enter", "sends the line"],
  ['"""', "on a line of its own begins and ends a message of several lines"],
  ["\\", "at the end of a line continues the message in the next one"],
  ["/", "begins a command; /help lists them"],
  ["Esc", "stops the run; leaves a question"],
  ["Ctrl+C", "stops the run, or leaves a question; twice within 2 s exits"],
  ["Ctrl+D", "leaves a question; at the prompt it exits"],
]
