/**
 * A text for people as data, so that it can be shown in another language than the English in which it was written. Plain
 * data: it may cross a package, a thread, a tape.
 */
export interface Phrase {
  /** The English text, with `{0}`, `{1}`, ... for what is put in. */
  readonly id: string
  readonly values: readonly PhraseValue[]
}

/** What can be put into a phrase. A string is shown as it is: a name, a number, words of another author. */
export type PhraseValue = string | number | null | undefined | Phrase

/** A text that may also be the words of another author, which stay. */
export type Text = string | Phrase

/** Of what came from elsewhere, as from a file. */
export function isPhrase(value: Readonly<Record<string, unknown>>): value is Record<string, unknown> & Phrase {
  const { id, values } = value
  return typeof id === "string" && Array.isArray(values) && values.every((one) => typeof one === "string")
}

/** phrase`no provider "${name}".`, or the id and what is put in, where it stands in a table. */
export function phrase(parts: TemplateStringsArray | string, ...values: readonly PhraseValue[]): Phrase {
  return { id: typeof parts === "string" ? parts : phraseId(parts), values }
}

/** The id of the phrase that a template literal makes. */
export function phraseId(parts: readonly string[]): string {
  return parts.reduce((id, part, at) => `${id}{${at - 1}}${part}`)
}

/** The fallback of every language, and what programs and models read. */
export function englishOf(value: PhraseValue): string {
  return typeof value === "object" && value !== null ? filled(value.id, value.values.map(englishOf)) : String(value)
}

/** The same text with each string that is put in changed: a key hidden, a path shortened. */
export function withStrings({ id, values }: Phrase, change: (value: string) => string): Phrase {
  const changed = (value: PhraseValue): PhraseValue => {
    if (typeof value === "string") return change(value)
    return typeof value === "object" && value !== null ? withStrings(value, change) : value
  }
  return { id, values: values.map(changed) }
}

/** `form` with its values in place of `{0}`, `{1}`, ...; a hole without a value stays. */
export function filled(form: string, values: readonly string[]): string {
  return form.replaceAll(/\{(\d+)\}/g, (whole, at: string) => values[Number(at)] ?? whole)
}
