import type { DialogAnswer, DialogRequest } from "@gong/spec"
import type { LineReader } from "../terminal/lines.ts"
import type { Surface } from "./surface.ts"

/** Asks what a tool wants to know: numbered choices, and words of one's own where they are taken. */
export async function answerPlain(
  lines: LineReader,
  surface: Surface,
  { question, choices, freeText, secret = false }: DialogRequest,
  signal: AbortSignal,
): Promise<DialogAnswer> {
  const rows = choices.map(
    ({ label, description }, at) => `  ${at + 1}  ${label}${description === undefined ? "" : `: ${description}`}`,
  )
  surface.out(`${[question, ...rows].join("\n")}\n`)
  if (choices.length === 0)
    return wordsOnly(await lines.ask(surface.t`Enter for no answer > `, { signal, fresh: true, secret }))
  const own = freeText ? surface.t`, or say it in your own words` : ""
  for (;;) {
    const line = await lines.ask(surface.t`1-${choices.length}${own}, Enter for no answer > `, { signal, fresh: true })
    const typed = line?.trim() ?? ""
    if (typed === "") return {}
    // Input methods for Chinese and Japanese may give full-width digits.
    const number = typed.normalize("NFKC")
    const picked = /^\d{1,3}$/.test(number) ? choices[Number(number) - 1] : undefined
    if (picked !== undefined) return { choice: picked.label }
    if (freeText && !/^\d+$/.test(number)) return { text: typed }
    surface.out(
      surface.t`Type a number from 1 to ${choices.length}${freeText ? surface.t` or some words` : ""}, or Enter.\n`,
    )
  }
}

function wordsOnly(line: string | null): DialogAnswer {
  const text = line?.trim() ?? ""
  return text === "" ? {} : { text }
}
