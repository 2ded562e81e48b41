import { type Failure, filled, type Phrase, phraseId, type PhraseValue, type Text } from "@gong/spec"

/** Texts of one language by the id of their phrase. */
export interface Catalogue {
  readonly texts: Readonly<Record<string, string>>
  /** What is made in English as data (a failure, a notification, a reason) and translated where it is shown. */
  readonly data: Readonly<Record<string, string>>
}

export const languages = ["en", "zh-CN"] as const
export type Language = (typeof languages)[number]

/** What a translator reads of a failure. */
export type Told = Pick<Failure, "message" | "hint" | "phrases">

/** Gives texts in one language. A frontend is handed one; two frontends of a process may have different ones. */
export interface Translate {
  /** A text of Gong's: t`no provider "${name}".` */
  (parts: TemplateStringsArray, ...values: readonly PhraseValue[]): string
  /** A phrase that was made elsewhere, or the id of one from a table of the code. */
  (what: Phrase | string, ...values: readonly PhraseValue[]): string
  /** The message of a failure. */
  (failure: Told): string
  /** What the user can do about a failure; null: nothing is known. */
  hint(failure: Told): string | null
  /** Words of another author stay. */
  text(what: Text): string
  /** Text that was made in English; what the catalogue does not know stays as it is. */
  data(text: string): string
  /** The same for a line about an extension and the frames below it; what foreign code threw is quoted. */
  problem(text: string): string
}

/** Says everything as it stands in the code: what programs read. */
export const english: Translate = translatorOf(null)

/** The catalogue of a language is loaded only where it is wanted. */
export async function translator(language: Language): Promise<Translate> {
  return language === "en" ? english : translatorOf((await import("./zh-CN/catalogue.ts")).zhCN)
}

/** The language that the settings or the locale ask for (`LC_ALL`, `LC_MESSAGES`, `LANG`). Every kind of Chinese reads zh-CN. */
export function languageOf(wish: string, env: Readonly<Record<string, string | undefined>>): Language {
  const locale = wish === "" || wish === "auto" ? env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "" : wish
  return /^zh(?![a-z])/i.test(locale) ? "zh-CN" : "en"
}

function translatorOf(catalogue: Catalogue | null): Translate {
  const texts = new Map(Object.entries(catalogue?.texts ?? {}))
  const patterns = Object.entries(catalogue?.data ?? {}).map(([id, text]) => ({ form: formOf(id), id, text }))
  const byId = new Map(Object.entries(catalogue?.data ?? {}))
  const shown = (value: PhraseValue): string =>
    typeof value === "object" && value !== null
      ? translated(
          value.id,
          value.values.map((one) => (typeof one === "string" ? data(one) : shown(one))),
        )
      : String(value)
  const translated = (id: string, values: readonly string[]): string =>
    filled(texts.get(id) ?? byId.get(id) ?? id, values)
  const matched = (text: string, inside: (value: string) => string): string => {
    for (const pattern of patterns) {
      const values = pattern.form.exec(text)?.slice(1)
      if (values !== undefined) return filled(pattern.text, values.map(inside))
    }
    return text
  }
  const data = (text: string): string => matched(text, (value) => matched(value, (inner) => inner))
  const t = (what: TemplateStringsArray | Phrase | Told | string, ...values: readonly PhraseValue[]): string => {
    if (typeof what !== "string" && "id" in what) return shown(what)
    if (typeof what !== "string" && "message" in what)
      return what.phrases?.message ? shown(what.phrases.message) : data(what.message)
    return translated(typeof what === "string" ? what : phraseId(what), values.map(shown))
  }
  const hint = ({ hint: english, phrases }: Told): string | null =>
    phrases?.hint ? shown(phrases.hint) : english === undefined ? null : data(english)
  const problem = catalogue === null ? (text: string) => text : (text: string) => problemIn(t, data, text)
  return Object.assign(t, { text: shown, data, problem, hint })
}

function problemIn(
  t: (parts: TemplateStringsArray, said: string) => string,
  data: Translate["data"],
  text: string,
): string {
  const [first = "", ...frames] = text.split("\n")
  const [head = "", ...own] = first.split(ownSentence)
  const place = placeBefore.exec(head)?.[0] ?? ""
  const what = head.slice(place.length)
  const known = data(what)
  const isForeign = own.length > 0 && known === what
  const said = isForeign ? t`it says "${what}"` : known
  // Chinese leaves no blank behind its full stop.
  const line = [place + said, ...own.map(data)].join(" ").replaceAll(/(?<=[。！？]) /g, "")
  return [line, ...frames].join("\n")
}

/** `file:line: ` */
const placeBefore = /^\/[^]*?\.[cm]?[jt]s(?::\d+)?: /

const ownSentence = / (?=\(More is|That was the last time;|The extension \S+ is off[.,]|Nobody waited for this;)/

/** Matches what the English text looks like once it is filled in. */
function formOf(english: string): RegExp {
  const source = english.split(/\{\d+\}/).map((part) => part.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&"))
  return new RegExp(`^${source.join("([^]*?)")}$`)
}
