import { englishOf, type Phrase } from "@gong/spec"

const phrases = new WeakMap<object, Phrase>()

/** An error raised by Gong: an ordinary error for the extension's author, and a phrase for the user. */
export function ownError(text: Phrase): Error {
  const error = new Error(englishOf(text))
  phrases.set(error, text)
  return error
}

/** The phrase of an error from `ownError`; null for other errors. */
export function phraseOf(error: unknown): Phrase | null {
  // A value that is no object has no phrase either.
  return phrases.get(error as object) ?? null
}

export function must(holds: boolean, text: Phrase): asserts holds {
  if (!holds) throw ownError(text)
}
