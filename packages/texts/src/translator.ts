import { type Failure, filled, type Phrase, phraseId, type PhraseValue, type Text } from "@gong/spec"
import type { Catalogue, Language } from "./language.ts"

/** The texts of a failure. */
export type FailureTexts = Pick<Failure, "message" | "hint" | "phrases">

/** Translates texts into one language. A value passed to a frontend; frontends of one process may differ. */
export interface Translate {
  /** A text of Gong: t`no provider "${name}".` */
  (parts: TemplateStringsArray, ...values: readonly PhraseValue[]): string
  /** A phrase made elsewhere, or the id of one from a table in the code. */
  (what: Phrase | string, ...values: readonly PhraseValue[]): string
  /** The message of a failure. */
  (failure: FailureTexts): string
  /** Advice for a failure; null if there is none. */
  hint(failure: FailureTexts): string | null
  /** A string is foreign text and stays unchanged. */
  text(what: Text): string
}

/** Every text as in the code, for programs. */
export const english: Translate = translatorOf({})

/** The catalogue of a language is loaded on demand. */
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
