import { phrase, type Phrase, type Diagnostic, diagnosticPhrase } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"

/** Diagnostics that are said without being asked for; the others stand in `gong doctor`. */
const most = 5

/** Whole lines for the user about what does not work as it was written. */
export function diagnosticLines(t: Translate, diagnostics: readonly Diagnostic[], maxSaid = most): readonly string[] {
  const wrong = diagnostics.filter(({ type }) => type !== "warning").map((one) => `gong: ${t(diagnosticPhrase(one))}`)
  const more = wrong.length - maxSaid
  return more <= 0 ? wrong : [...wrong.slice(0, maxSaid), `gong: ${t`${more} more; gong doctor names them.`}`]
}

/** The same as data, without the program's name in front. */
export function diagnosticPhrases(diagnostics: readonly Diagnostic[], maxSaid = most): readonly Phrase[] {
  const wrong = diagnostics.filter(({ type }) => type !== "warning").map(diagnosticPhrase)
  const more = wrong.length - maxSaid
  return more <= 0 ? wrong : [...wrong.slice(0, maxSaid), phrase`${more} more; gong doctor names them.`]
}

/** The same behind its kind: `error: file:line: ...`. */
export function typedDiagnostic(t: Translate, diagnostic: Diagnostic): string {
  return t`${t(diagnostic.type)}: ${diagnosticPhrase(diagnostic)}`
}
