/** How long the text of a skill is sent whole: during its run, or for this number of replies. */
export type SkillScope = "session" | "task" | number

/** Position of a skill's text in the message that called it (contract section 20). */
export interface SkillText {
  readonly name: string
  /** Its source file. */
  readonly location: string
  /** Offset after its last character; it begins the message. */
  readonly end: number
}

const begin = /^<skill name="([^"\n]*)" location="([^"\n]+)">\n/
const close = "\n</skill>"

/** The message of a user who called a skill: its text in the form for the model. */
export function skillText(name: string, location: string, lines: readonly string[]): string {
  return `<skill name="${attribute(name)}" location="${attribute(location)}">\n${lines.join("\n")}${close}`
}

/** The skill at the beginning of a text; null for none. */
export function skillTextIn(text: string): SkillText | null {
  const [, name, location] = begin.exec(text) ?? []
  // The text of a skill may contain this line; the user's text after it hardly ends with it.
  const end = text.lastIndexOf(close)
  if (name === undefined || location === undefined || end === -1) return null
  return { name: plain(name), location: plain(location), end: end + close.length }
}

function attribute(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", " ")
}

function plain(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
}
