import { englishOf, type Phrase } from "@gong/spec"

const phrases = new WeakMap<object, Phrase>()

/** An error of Gong's own: an ordinary one for the author of the extension, and a phrase for the reader. */
export function ownError(text: Phrase): Error {
  const error = new Error(englishOf(text))
  phrases.set(error, text)
  return error
}

/** The phrase of an error that `ownError` made; null: another author wrote it. */
export function phraseOf(error: unknown): Phrase | null {
  return typeof error === "object" && error !== null ? (phrases.get(error) ?? null) : null
}

export function must(holds: boolean, text: Phrase): asserts holds {
  if (!holds) throw ownError(text)
}
