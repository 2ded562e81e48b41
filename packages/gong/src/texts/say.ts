import type { Span } from "@gong/spec"

/** Texts of one language by their English form, in which `{0}`, `{1}`, ... stand for what is put in. */
export interface Catalogue {
  /** What `say` and `worded` are given. */
  readonly texts: Readonly<Record<string, string>>
  /** What is made in English as data (a failure, a notice, a reason) and translated where it is shown. */
  readonly data: Readonly<Record<string, string>>
}

/** What can be put into a text. */
type Value = string | number | null | undefined

export const languages = ["en", "zh-CN"] as const
export type Language = (typeof languages)[number]

interface Spoken {
  readonly texts: ReadonlyMap<string, string>
  readonly patterns: readonly { readonly form: RegExp; readonly text: string }[]
}

/** Which language a process speaks is as much its own as its environment: chosen once at the start, and null for English. */
let spoken: Spoken | null = null
let fixed = false

/** Speaks a language from now on; its catalogue is read when it is wanted. Nothing changes after `speakEnglishOnly`. */
export async function speak(language: Language): Promise<void> {
  if (fixed) return
  if (language === "en") {
    spoken = null
    return
  }
  const { texts, data } = (await import("./zh-CN/catalogue.ts")).zhCN
  const patterns = Object.entries(data).map(([english, text]) => ({ form: formOf(english), text }))
  spoken = { texts: new Map(Object.entries(texts)), patterns }
}

/** For good: what programs read does not depend on who is logged in. */
export function speakEnglishOnly(): void {
  spoken = null
  fixed = true
}

/** The language that the settings or the locale ask for (`LC_ALL`, `LC_MESSAGES`, `LANG`). Every kind of Chinese reads zh-CN. */
export function languageOf(wish: string, env: Readonly<Record<string, string | undefined>>): Language {
  const locale = wish === "" || wish === "auto" ? env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "" : wish
  return /^zh(?![a-z])/i.test(locale) ? "zh-CN" : "en"
}

/** A text for the user: say`no provider "${name}".` A catalogue knows it by its words. */
export function say(parts: TemplateStringsArray, ...values: readonly Value[]): string {
  const text = spoken?.texts.get(keyOf(parts))
  return text === undefined ? String.raw({ raw: parts }, ...values) : filled(text, values)
}

/** A text for the user that stands in a table of the code, with `{0}`, ... for what is put in. */
export function worded(text: string, ...values: readonly Value[]): string {
  return filled(spoken?.texts.get(text) ?? text, values)
}

/** What a tool's renderer says: its own text, or words of Gong's. */
export function spanText({ text, phrase }: Pick<Span, "text" | "phrase">): string {
  return phrase === undefined ? text : worded(phrase.form, ...phrase.values)
}

/**
 * Shows a text that was made in English, and what is put into it likewise; one that the catalogue does not know stays as it
 * is.
 */
export function told(text: string): string {
  return translated(text, (value) => translated(value, (inner) => inner))
}

/** `inside`: what becomes of the values. */
function translated(text: string, inside: (value: string) => string): string {
  for (const pattern of spoken?.patterns ?? []) {
    const values = pattern.form.exec(text)?.slice(1)
    if (values !== undefined) return filled(pattern.text, values.map(inside))
  }
  return text
}

/**
 * The same for a line about an extension, and the frames below it: what it threw is its author's, what Gong says behind it
 * is a sentence of its own.
 */
export function toldProblem(text: string): string {
  const [first = "", ...frames] = text.split("\n")
  const [head = "", ...own] = first.split(ownSentence)
  const place = placeBefore.exec(head)?.[0] ?? ""
  const what = head.slice(place.length)
  const known = told(what)
  const isForeign = spoken !== null && own.length > 0 && known === what
  const said = isForeign ? say`it says "${what}"` : known
  // Chinese leaves no blank behind its full stop.
  const line = [place + said, ...own.map(told)].join(" ").replaceAll(/(?<=[。！？]) /g, "")
  return [line, ...frames].join("\n")
}

/** `file:line: ` */
const placeBefore = /^\/[^]*?\.[cm]?[jt]s(?::\d+)?: /

const ownSentence = / (?=\(More is|That was the last time;|The extension \S+ is off[.,]|Nobody waited for this;)/

function keyOf(parts: readonly string[]): string {
  return parts.reduce((key, part, at) => `${key}{${at - 1}}${part}`)
}

function filled(text: string, values: readonly Value[]): string {
  return text.replaceAll(/\{(\d+)\}/g, (whole, at: string) =>
    Number(at) in values ? String(values[Number(at)]) : whole,
  )
}

/** Matches what the English text looks like once it is filled in. */
function formOf(english: string): RegExp {
  const source = english.split(/\{\d+\}/).map((part) => part.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&"))
  return new RegExp(`^${source.join("([^]*?)")}$`)
}
