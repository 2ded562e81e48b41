import type { LineReader } from "../terminal/lines.ts"
import type { UserDialogs } from "@gong/app/slash/result"
import type { OutputStreams } from "./output-streams.ts"

/** Maximum number of rows; hidden ones are chosen by name as the command's argument. */
const maxRows = 60

/** Dialogs of slash commands, line by line: lists are numbered, and numbers may be full-width (interface part 8). */
export function plainPerson(lines: LineReader, streams: OutputStreams, copy: UserDialogs["copy"]): UserDialogs {
  const typed = async (prompt: string) => (await lines.question(prompt))?.normalize("NFKC").trim() ?? null
  return {
    async choose(question, rows) {
      const shown = rows.slice(0, maxRows)
      const width = String(shown.length).length
      const more = rows.length > shown.length ? [streams.t`  ... and ${rows.length - shown.length} more`] : []
      const listed = shown.map((row, at) => `  ${String(at + 1).padStart(width)}  ${row}`)
      streams.err(`${[question, ...listed, ...more].join("\n")}\n`)
      for (;;) {
        const answer = await typed(streams.t`1-${shown.length}, Enter for none > `)
        if (answer === null || answer === "") return null
        const picked = /^\d{1,9}$/.test(answer) ? Number(answer) : 0
        if (picked >= 1 && picked <= shown.length) return picked - 1
        streams.err(streams.t`Type a number from 1 to ${shown.length}, or Enter.\n`)
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
  ["Ctrl+C", "stops the run; twice within 2 s exits"],
  ["Ctrl+D", "exits"],
]
