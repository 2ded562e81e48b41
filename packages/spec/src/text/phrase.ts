/**
 * A text for people as data, so that it can be shown in another language. Plain data: safe across packages and threads and
 * on the tape.
 */
export interface Phrase {
  /** The English text, with placeholders `{0}`, `{1}`, ... */
  readonly id: string
  readonly values: readonly PhraseValue[]
}

/** A placeholder value. A string is shown unchanged: a name, a number, text of another author. */
export type PhraseValue = string | number | null | undefined | Phrase

/** A phrase, or text of another author, which is never translated. */
export type Text = string | Phrase

/** Validates external data, for example from a file whose depth was bounded when it was read. */
export function isPhrase(value: Readonly<Record<string, unknown>>): value is Record<string, unknown> & Phrase {
  const { id, values } = value
  return typeof id === "string" && Array.isArray(values) && values.every(isPhraseValue)
}

function isPhraseValue(value: unknown): value is PhraseValue {
  if (typeof value !== "object" || value === null) return value === null || /^(string|number)$/.test(typeof value)
  return isPhrase(value as Readonly<Record<string, unknown>>)
}

/** phrase`no provider "${name}".`, or an id and its values, for texts in a table. */
export function phrase(parts: TemplateStringsArray | string, ...values: readonly PhraseValue[]): Phrase {
  return { id: typeof parts === "string" ? parts : phraseId(parts), values }
}

/** A clause as a sentence of its own, which another text may quote as a clause: its id is known in both forms. */
export function sentence(clause: Phrase): Phrase {
  return phrase`${clause}.`
}

/** The text without its full stop. */
export function clauseOf(text: Text): Text {
  const stop = /\.$/
  return typeof text === "string" ? text.replace(stop, "") : { id: text.id.replace(stop, ""), values: text.values }
}

/** The phrase id of a template literal. */
export function phraseId(parts: readonly string[]): string {
  return parts.reduce((id, part, at) => `${id}{${at - 1}}${part}`)
}

/** The English text: the fallback of every language, and the text for programs and models. */
export function englishOf(value: PhraseValue): string {
  return typeof value === "object" && value !== null ? filled(value.id, value.values.map(englishOf)) : String(value)
}

/** The same phrase with each string value mapped, for example to hide a key or to shorten a path. */
export function withStrings({ id, values }: Phrase, change: (value: string) => string): Phrase {
  const changed = (value: PhraseValue): PhraseValue => {
    if (typeof value === "string") return change(value)
    return typeof value === "object" && value !== null ? withStrings(value, change) : value
  }
  return { id, values: values.map(changed) }
}

/** `form` with its placeholders filled; a placeholder without a value stays. */
export function filled(form: string, values: readonly string[]): string {
  return form.replaceAll(/\{(\d+)\}/g, (whole, at: string) => values[Number(at)] ?? whole)
}
