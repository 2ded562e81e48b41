import type { LineReader } from "../../terminal/lines.ts"
import type { UserDialogs } from "@gong/app/slash/result"
import { chooseByNumber } from "./numbered-list.ts"
import type { OutputStreams } from "../output-streams.ts"

/** Dialogs of slash commands, line by line: lists are numbered, and numbers may be full-width (interface part 8). */
export function plainPerson(lines: LineReader, streams: OutputStreams, copy: UserDialogs["copy"]): UserDialogs {
  const typed = async (prompt: string) => (await lines.question(prompt))?.normalize("NFKC").trim() ?? null
  return {
    choose: (question, rows) => chooseByNumber(lines, streams, { question, rows, enter: streams.t`Enter for none` }),
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
