import { englishOf, isRecord, type Phrase } from "@gong/spec"

/** A type with its phrases replaced by strings. */
export type InEnglish<T> = T extends Phrase
  ? string
  : T extends readonly unknown[] | Readonly<Record<never, never>>
    ? { readonly [K in keyof T]: InEnglish<T[K]> }
    : T

/** A value as programs see it: phrases as English text, without the phrases beside texts. */
export function inEnglish<T>(value: T): InEnglish<T> {
  return plain(value) as InEnglish<T>
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  if (isPhrase(value)) return englishOf(value)
  const fields = Object.entries(value).filter(([key]) => key !== "phrase" && key !== "phrases")
  return Object.fromEntries(fields.map(([key, field]) => [key, plain(field)]))
}

function isPhrase(value: object): value is Phrase {
  return "id" in value && "values" in value && Object.keys(value).length === 2
}
