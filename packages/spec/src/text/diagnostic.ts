import { englishOf, phrase, type Phrase, type Text } from "./phrase.ts"
/** What is wrong with a file, and what to do about it. `error`: it does not work as written; `collision`: another one has its name. */
export interface Diagnostic {
  readonly type: "warning" | "error" | "collision"
  readonly path: string
  /** From 1; null: of no line. */
  readonly line: number | null
  /** Sentences for people. */
  readonly text: Text
}

/** `file:line: what is wrong. What to do.` */
export function diagnosticPhrase({ path, line, text }: Diagnostic): Phrase {
  // The place and its colon look alike in every language.
  return phrase`${line === null ? `${path}: ` : `${path}:${line}: `}${text}`
}

/** The same in English. */
export function diagnosticText(diagnostic: Diagnostic): string {
  return englishOf(diagnosticPhrase(diagnostic))
}

/** The first of each name, and a diagnostic for each of the others. `kind` is the word for one of them. */
export function firstOfEachName<T extends { readonly name: string; readonly location: string | null }>(
  kind: string,
  all: readonly T[],
): { readonly first: readonly T[]; readonly diagnostics: readonly Diagnostic[] } {
  const first = new Map<string, T>()
  const diagnostics: Diagnostic[] = []
  for (const one of all) {
    const before = first.get(one.name)
    if (before === undefined) first.set(one.name, one)
    else if (one.location !== null) {
      const text = phrase`the ${kind} "${one.name}" is left out: ${before.location} has this name. Rename one of them.`
      diagnostics.push({ type: "collision", path: one.location, line: 1, text })
    }
  }
  return { first: [...first.values()], diagnostics }
}
