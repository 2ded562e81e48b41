import type { LineReader } from "../../terminal/lines.ts"
import { type Dialogs, letterOf } from "../dialogs.ts"
import type { OutputStreams } from "../output-streams.ts"
import { chooseByNumber } from "./numbered-list.ts"

/** The questions line by line. */
export function lineDialogs(lines: LineReader, streams: OutputStreams): Dialogs {
  return {
    choose: (list) => chooseByNumber(lines, streams, list),
    line: (prompt, isSecret = false) => lines.question(prompt, { secret: isSecret }),
    async key({ prompt, labels, enter = "" }) {
      const letters = labels.map(letterOf)
      lines.reopen()
      for (;;) {
        const text = [...(prompt === "" ? [] : [prompt]), labels.join("  ")].join(" ")
        const answer = await lines.question(streams.t`${text}: `, { fresh: true })
        if (answer === null) return null
        const typed = answer.normalize("NFKC").trim().toLowerCase() || enter
        if (letters.includes(typed)) return typed
        const others = letters.slice(0, -1).join(", ")
        streams.err(streams.t`Type ${others} or ${letters.at(-1) ?? ""}.\n`)
      }
    },
  }
}
