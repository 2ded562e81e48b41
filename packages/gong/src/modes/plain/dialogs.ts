import type { DialogAnswer, DialogRequest } from "@gong/spec"
import type { LineReader } from "../../terminal/lines.ts"
import { choiceText } from "../dialogs.ts"
import type { OutputStreams } from "../output-streams.ts"

/** Shows a dialog of a tool: numbered choices, and free text if the dialog accepts it. */
export async function showDialog(
  lines: LineReader,
  streams: OutputStreams,
  { question, phrase, choices, freeText, secret = false }: DialogRequest,
  signal: AbortSignal,
): Promise<DialogAnswer> {
  const rows = choices.map((choice, at) => `  ${at + 1}  ${choiceText(streams.t, choice)}`)
  streams.out(`${[streams.t.text(phrase ?? question), ...rows].join("\n")}\n`)
  if (choices.length === 0)
    return textAnswer(await lines.question(streams.t`Enter for no answer > `, { signal, fresh: true, secret }))
  const orText = freeText ? streams.t`, or type an answer` : ""
  for (;;) {
    const line = await lines.question(streams.t`1-${choices.length}${orText}, Enter for no answer > `, {
      signal,
      fresh: true,
    })
    const typed = line?.trim() ?? ""
    if (typed === "") return {}
    // Input methods for Chinese and Japanese may produce full-width digits.
    const number = typed.normalize("NFKC")
    const picked = /^\d{1,3}$/.test(number) ? choices[Number(number) - 1] : undefined
    if (picked !== undefined) return { choice: picked.label }
    if (freeText && !/^\d+$/.test(number)) return { text: typed }
    streams.out(
      streams.t`Type a number from 1 to ${choices.length}${freeText ? streams.t` or a text` : ""}, or Enter.\n`,
    )
  }
}

function textAnswer(line: string | null): DialogAnswer {
  const text = line?.trim() ?? ""
  return text === "" ? {} : { text }
}
