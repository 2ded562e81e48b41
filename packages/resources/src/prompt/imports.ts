/** Maximum number of names per file. */
const maxNames = 50
/** Maximum length of code between backticks in a line. */
const maxSpan = 500

/**
 * The names after `@` in a text, each once, in order. Code is skipped: between backticks, and between fences. The caller checks
 * whether the file exists; `@name` may be a person or a package.
 */
export function importsIn(text: string): readonly string[] {
  const found = Array.from(withoutCode(text).matchAll(/(?<=^|[\s(])@([^\s()]+)/gm), ([, name = ""]) =>
    // A final full stop or comma belongs to the sentence.
    name.replace(/[.,;:!?'"*_]+$/, ""),
  )
  return [...new Set(found)].filter((name) => name !== "").slice(0, maxNames)
}

function withoutCode(text: string): string {
  let fence: string | null = null
  const lines = text.split("\n").map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === null && mark === undefined) return line
    if (fence === null) fence = mark ?? null
    else if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null
    return ""
  })
  return lines.join("\n").replaceAll(spans, " ")
}

const spans = new RegExp(`(?<!\`)(\`+)(?!\`)[^\\n]{0,${maxSpan}}?(?<!\`)\\1(?!\`)`, "g")

/** The path of a name in a file of `folder`, without `.` and `..`; both absolute, with `/`. */
export function importPath(name: string, folder: string, userHome: string): string {
  const from = name.startsWith("/") ? "" : name.startsWith("~/") ? userHome : folder
  const parts: string[] = []
  for (const part of `${from}/${name.replace(/^~\//, "")}`.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "." && part !== "") parts.push(part)
  }
  return `/${parts.join("/")}`
}
