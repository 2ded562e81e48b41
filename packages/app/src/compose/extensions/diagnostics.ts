import { phrase, type Phrase, type Diagnostic, diagnosticPhrase } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"

/** Maximum diagnostics shown at start; `gong doctor` lists all. */
const most = 5

/** Lines for the user, one for each error or collision. */
export function diagnosticLines(t: Translate, diagnostics: readonly Diagnostic[], maxShown = most): readonly string[] {
  const wrong = diagnostics.filter(({ type }) => type !== "warning").map((one) => `gong: ${t(diagnosticPhrase(one))}`)
  const more = wrong.length - maxShown
  return more <= 0 ? wrong : [...wrong.slice(0, maxShown), `gong: ${t`${more} more; gong doctor names them.`}`]
}

/** The same as phrases, without the program's name. */
export function diagnosticPhrases(diagnostics: readonly Diagnostic[], maxShown = most): readonly Phrase[] {
  const wrong = diagnostics.filter(({ type }) => type !== "warning").map(diagnosticPhrase)
  const more = wrong.length - maxShown
  return more <= 0 ? wrong : [...wrong.slice(0, maxShown), phrase`${more} more; gong doctor names them.`]
}

/** With the kind in front: `error: file:line: ...`. */
export function typedDiagnostic(t: Translate, diagnostic: Diagnostic): string {
  return t`${t(diagnostic.type)}: ${diagnosticPhrase(diagnostic)}`
}
