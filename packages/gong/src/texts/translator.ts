import { type Failure, filled, type Phrase, phraseId, type PhraseValue, type Text } from "@gong/spec"
import type { Language } from "./language.ts"

/** The texts of one language by the ids of their phrases. */
export type Catalogue = Readonly<Record<string, string>>

/** The texts of a failure. */
export type FailureTexts = Pick<Failure, "message" | "hint" | "phrases">

/** Gives texts in one language. A value that a frontend receives; two frontends of a process may have different ones. */
export interface Translate {
  /** A text of Gong's: t`no provider "${name}".` */
  (parts: TemplateStringsArray, ...values: readonly PhraseValue[]): string
  /** A phrase that was made elsewhere, or the id of one from a table of the code. */
  (what: Phrase | string, ...values: readonly PhraseValue[]): string
  /** The message of a failure. */
  (failure: FailureTexts): string
  /** What the user can do about a failure; null: nothing is known. */
  hint(failure: FailureTexts): string | null
  /** A string is the text of another author and stays. */
  text(what: Text): string
}

/** Every text as it stands in the code: what programs read. */
export const english: Translate = translatorOf({})

/** The catalogue of a language is loaded only where it is used. */
export async function translator(language: Language): Promise<Translate> {
  return language === "en" ? english : translatorOf((await import("./zh-CN/catalogue.ts")).zhCN)
}

function translatorOf(catalogue: Catalogue): Translate {
  const texts = new Map(Object.entries(catalogue))
  const text = (value: PhraseValue): string =>
    typeof value === "object" && value !== null ? translate(value.id, value.values) : String(value)
  const translate = (id: string, values: readonly PhraseValue[]): string =>
    filled(texts.get(id) ?? id, values.map(text))
  const t = (
    what: TemplateStringsArray | Phrase | FailureTexts | string,
    ...values: readonly PhraseValue[]
  ): string => {
    if (typeof what === "string") return translate(what, values)
    if ("id" in what) return text(what)
    if ("message" in what) return text(what.phrases?.message ?? what.message)
    return translate(phraseId(what), values)
  }
  const hint = ({ hint: plain, phrases }: FailureTexts): string | null => {
    const given = phrases?.hint ?? plain
    return given === undefined ? null : text(given)
  }
  return Object.assign(t, { text, hint })
}
