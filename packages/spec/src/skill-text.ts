/** For how long the text of a skill is sent whole: for the run that brought it in, or for so many replies from there on. */
export type SkillScope = "session" | "task" | number

/** Where the text of a skill stands in a message that called it (contract section 20). */
export interface SkillText {
  readonly name: string
  /** The file that it was read from. */
  readonly location: string
  /** Behind its last character; it begins with the message. */
  readonly end: number
}

const begin = /^<skill name="([^"\n]*)" location="([^"\n]+)">\n/
const close = "\n</skill>"

/** The message of a person who called a skill: its text, in the form that the model reads. */
export function skillText(name: string, location: string, lines: readonly string[]): string {
  return `<skill name="${attribute(name)}" location="${attribute(location)}">\n${lines.join("\n")}${close}`
}

/** The skill that a text begins with; null when it begins with none. */
export function skillTextIn(text: string): SkillText | null {
  const [, name, location] = begin.exec(text) ?? []
  // A skill may speak of skills: what the user said behind it hardly ends with this line.
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
