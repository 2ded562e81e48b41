/**
 * Makes text from models, tools, files and names safe for a terminal: only printable characters, newline and tab
 * remain. Each dangerous character is replaced separately, so a sequence split over two writes is harmless too and no
 * state is needed. Clean text costs one search and is returned unchanged.
 */
export function printable(text: string): string {
  if (!unusual.test(text) || !suspicious.test(text)) return text
  searches ??= buildSearches()
  return searches.dangerous.test(text) ? text.replaceAll(searches.each, visible) : text
}

/** The same on one line: a name or title must not start a new line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll(/[\n\t]+/g, " ")
}

/** Most text is ASCII, and this search is five times faster than the full one. */
const unusual = /[^\t\n\x20-\x7e]/

const inBasicPlane = [
  // C0 except tab and newline, DEL, and C1: some terminals take a lone U+009B for CSI.
  "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f",
  // Characters that reorder, hide or join, or have no width: bidi, zero-width, fillers, separators, byte order marks.
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0",
  // Interlinear annotations, non-characters, lone surrogates.
  "\\ufff0-\\ufffb\\ufffe\\uffff\\ud800-\\udfff",
].join("")
/** Invisible format controls, tags. */
const above = "\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}"
const classes = inBasicPlane + above

/** Matches code units, so emoji match too; common text such as Chinese does not. */
const suspicious = new RegExp(`[${inBasicPlane}]`)

// Kept: a joiner inside an emoji, and the two joiners of Arabic and Indic scripts.
const emojiJoiner = "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})"
const scripts = ["Arab", "Syrc", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh"]

/** Compiled on demand, because it takes milliseconds that most starts do not need. */
let searches: { dangerous: RegExp; each: RegExp } | undefined

function buildSearches(): { dangerous: RegExp; each: RegExp } {
  const joining = `[${scripts.map((script) => `\\p{scx=${script}}`).join("")}]`
  const letterJoiner = `(?<=${joining})[\\u200c\\u200d](?=${joining})`
  return {
    dangerous: new RegExp(`[${classes}]`, "u"),
    each: new RegExp(`(${emojiJoiner}|${letterJoiner})|\\r\\n|[${classes}]`, "gu"),
  }
}

/** Control characters become their pictures (ESC becomes U+241B); others become their code. */
function visible(found: string, kept: string | undefined): string {
  if (kept !== undefined) return kept
  if (found === "\r\n") return "\n"
  const code = found.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "\u2421"
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd"
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}
