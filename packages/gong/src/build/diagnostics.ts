import { type Diagnostic, diagnosticText } from "../diagnostic.ts"
import { say, toldProblem, worded } from "../texts/say.ts"

/** Diagnostics that are said without being asked for; the others stand in `gong doctor`. */
const most = 5

/** Whole lines for the user about what does not work as it was written. */
export function diagnosticLines(diagnostics: readonly Diagnostic[], maxSaid = most): readonly string[] {
  const wrong = diagnostics.filter(({ type }) => type !== "warning").map((one) => `gong: ${toldDiagnostic(one)}`)
  const more = wrong.length - maxSaid
  return more <= 0 ? wrong : [...wrong.slice(0, maxSaid), say`gong: ${more} more; gong doctor names them.`]
}

/** `file:line: what is wrong. What to do.`, in the user's language. */
export function toldDiagnostic(diagnostic: Diagnostic): string {
  return diagnosticText({ ...diagnostic, text: toldProblem(diagnostic.text) })
}

/** The same behind its kind: `error: file:line: ...`. */
export function typedDiagnostic(diagnostic: Diagnostic): string {
  return say`${worded(diagnostic.type)}: ${toldDiagnostic(diagnostic)}`
}

/** A whole line that an extension said, in the user's language as far as it is Gong's. */
export function toldLine(line: string): string {
  return `gong: ${toldProblem(line.replace(/^gong: /, ""))}`
}
