/** A token of a shell command, for finding the hook's own scripts in it. */
export interface Token {
  /** The end of a simple command; a word; the target of `<` or `<<<`; the lines of a here-document. */
  readonly role: "separator" | "word" | "input" | "string" | "document"
  readonly start: number
  readonly end: number
  /** Without quotes; null: its expansion is unknown here. */
  readonly text: string | null
  /** Command substitutions in it. */
  readonly inner?: readonly Range[]
}

interface Range {
  readonly start: number
  readonly end: number
}

const variable = /^\$(?:\{(?:CLAUDE|GONG)_PROJECT_DIR\}|(?:CLAUDE|GONG)_PROJECT_DIR\b)/

/** Words, inputs and ends of simple commands; output files are skipped. */
export function tokensOf(command: string, root: string): readonly Token[] {
  const tokens: Token[] = []
  /** Here-documents whose lines begin after the current line. */
  let waiting: { readonly word: string; readonly indented: boolean }[] = []
  let role: Token["role"] | "output" | "delimiter" = "word"
  let indented = false
  let at = 0
  while (at < command.length) {
    const rest = command.slice(at)
    const blank = /^(?:[ \t]|\\\n)+/.exec(rest)?.[0]
    const redirection = /^(?:\d*|&)(?:<<<|<<-?|<>|>>|>\||<&|>&|<|>)/.exec(rest)?.[0]
    const separator = /^(?:&&|\|\||;;|[;&|()\n])/.exec(rest)?.[0]
    const comment = /^#[^\n]*/.exec(rest)?.[0]
    if (redirection !== undefined) {
      role = roleOf(redirection)
      indented = redirection.endsWith("-")
    } else if (separator !== undefined) {
      tokens.push({ role: "separator", start: at, end: at + separator.length, text: null })
      role = "word"
    }
    const passed = blank ?? redirection ?? separator ?? comment
    if (passed !== undefined) {
      at += passed.length
      if (separator !== "\n") continue
      for (const one of waiting) at = skipDocument(command, at, one)
      waiting = []
      continue
    }
    const { end, text, inner } = wordAt(command, at, root)
    if (role === "delimiter") {
      const document = documentBehind(command, at, waiting, { word: text ?? "", indented })
      if (document !== null) tokens.push(document)
      waiting.push({ word: text ?? "", indented })
    } else if (role !== "output") tokens.push({ role, start: at, end, text, inner })
    role = "word"
    at = end
  }
  return tokens
}

function roleOf(redirection: string): "input" | "string" | "delimiter" | "output" {
  if (redirection.endsWith("<<<")) return "string"
  if (/<<-?$/.test(redirection)) return "delimiter"
  return /^\d*<$/.test(redirection) ? "input" : "output"
}

interface Delimiter {
  readonly word: string
  /** Leading tabs of its lines are stripped. */
  readonly indented: boolean
}

/** The lines of the here-document started at `at`, after earlier ones of the same line; null if it has no end. */
function documentBehind(command: string, at: number, before: readonly Delimiter[], own: Delimiter): Token | null {
  const line = command.indexOf("\n", at)
  if (line === -1) return null
  let start = line + 1
  for (const one of before) start = skipDocument(command, start, one)
  const lines = command.slice(start).split("\n")
  const count = lines.findIndex((text) => isEnd(text, own))
  if (count === -1) return null
  const text = lines
    .slice(0, count)
    .map((one) => `${one}\n`)
    .join("")
  return { role: "document", start, end: start + text.length, text }
}

/** Where the text continues after a here-document and its end line. */
function skipDocument(command: string, at: number, delimiter: Delimiter): number {
  for (let from = at; from < command.length;) {
    const newline = command.indexOf("\n", from)
    const end = newline === -1 ? command.length : newline
    const text = command.slice(from, end)
    from = end + 1
    if (isEnd(text, delimiter)) return from
  }
  return command.length
}

function isEnd(line: string, { word, indented }: Delimiter): boolean {
  return (indented ? line.replace(/^\t+/, "") : line) === word
}

function wordAt(command: string, start: number, root: string): Required<Pick<Token, "end" | "text" | "inner">> {
  const inner: Range[] = []
  let at = start
  let text = ""
  let known = true
  let double = false
  while (at < command.length) {
    const char = command[at] ?? ""
    const rest = command.slice(at)
    if (!double && /[\s;&|()<>]/.test(char)) break
    const single = double ? null : /^'([^']*)'/.exec(rest)
    const named = variable.exec(rest)?.[0]
    const shut = /^`[^`\\]*`/.exec(rest)?.[0] ?? (rest.startsWith("$(") ? rest.slice(0, substitution(rest)) : "")
    if (/[)`]$/.test(shut) && single === null)
      inner.push({ start: at + (shut.startsWith("$") ? 2 : 1), end: at + shut.length - 1 })
    if (char === '"') double = !double
    else if (char === "\\") {
      const next = command[at + 1] ?? ""
      text += double && !'$`"\\\n'.includes(next) ? `\\${next}` : next === "\n" ? "" : next
      at += 1
    } else if (single !== null) text += single[1] ?? ""
    else if (named !== undefined) text += root
    else if (char === "`" || char === "$" || (!double && /[*?[]/.test(char))) known = false
    else text += char
    at += single?.[0].length ?? named?.length ?? (shut.length || 1)
  }
  return { end: Math.min(at, command.length), text: known ? text : null, inner }
}

/** The length of `$(...)`, by counting parentheses. */
function substitution(text: string): number {
  let open = 0
  for (let at = 1; at < text.length; at++) {
    if (text[at] === "(") open++
    if (text[at] === ")" && --open === 0) return at + 1
  }
  return text.length
}
