import {
  arithmeticEnd,
  peek,
  consume,
  maxNesting,
  type PendingHereDocument,
  type Parser,
  nestedParser,
  parseParts,
  parseWord,
  skipRest,
} from "./parse-words.ts"
import type { Command, Redirection, Script, Step, Word } from "./syntax.ts"

/**
 * Parses a shell script like bash, as far as it determines which commands run with which words. Never throws: invalid parts are
 * skipped, since bash runs the part before them anyway. `onIncomplete` is called if something was not parsed.
 */
export function parseScript(text: string, onIncomplete: () => void): Script {
  const parser = { ...nestedParser({ commands: parseSteps, depth: 0, onIncomplete }, text), depth: 0 }
  const steps: Step[] = []
  // A surplus bracket or `done` ends nothing here.
  for (; parser.position < text.length; parser.position++) steps.push(...parseSteps(parser, []))
  return steps
}

function parseSteps(parser: Parser, ends: readonly string[]): Step[] {
  const steps: Step[] = []
  let before: Step["before"] = ";"
  for (;;) {
    const end = parser.position
    skipSpace(parser)
    const from = parser.position
    const startsLine = parser.text.slice(end, from).includes("\n")
    if (peek(parser) === "" || isAtKeyword(parser, ends)) return steps
    const commands = parsePipeline(parser)
    const [operator, background] = parseSeparator(parser)
    if (commands.length > 0) steps.push({ before, startsLine, commands, background })
    before = operator
    if (parser.position === from) parser.position++
  }
}

/** Keywords are not recognized if letters follow. */
function isAtKeyword(parser: Parser, ends: readonly string[]): boolean {
  return ends.some((end) => {
    if (!parser.text.startsWith(end, parser.position)) return false
    return /^\W/.test(end) && end !== "}" ? true : isWordEnd(parser.text[parser.position + end.length] ?? "")
  })
}

/** Empty `char`: the end of the text. */
function isWordEnd(char: string): boolean {
  return " \t\n;&|()<>".includes(char)
}

function parseSeparator(parser: Parser): [Step["before"], boolean] {
  const operator = consume(parser, /&&|\|\||&(?![>])|;(?![;&])/y)
  return [operator === "&&" || operator === "||" ? operator : ";", operator === "&"]
}

function parsePipeline(parser: Parser): readonly Command[] {
  const commands: Command[] = []
  do {
    skipSpace(parser)
    const command = parseShellCommand(parser)
    if (command !== null) commands.push(command)
    skipBlanks(parser)
  } while (consume(parser, /\|&?(?!\|)/y) !== "")
  return commands
}

const blocks = /(?:if|while|until|for|select|case|function|\{|\[\[|!|time|coproc)(?=[\s;&|()<>]|$)/y

function parseShellCommand(parser: Parser): Command | null {
  if (parser.depth >= maxNesting) {
    skipRest(parser)
    return null
  }
  parser.depth++
  try {
    return parseBlock(parser) ?? parseSimple(parser)
  } finally {
    parser.depth--
  }
}

function parseBlock(parser: Parser): Command | null {
  const start = parser.position
  if (peek(parser) === "(") return parseParentheses(parser)
  const word = consume(parser, blocks)
  switch (word) {
    case "{":
      return withRedirections(parser, { type: "group", body: parseUntil(parser, "}") })
    case "if":
      return parseIf(parser)
    case "while":
    case "until": {
      const condition = parseUntil(parser, "do")
      return withRedirections(parser, { type: "loop", condition, body: parseUntil(parser, "done") })
    }
    case "for":
    case "select":
      return parseFor(parser)
    case "case":
      return parseCase(parser)
    case "function": {
      skipBlanks(parser)
      const name = parseWord(parser).source
      consume(parser, /\s*\(\s*\)/y)
      return parseFunction(parser, name)
    }
    case "[[":
      return parseTest(parser)
    case "!":
    case "coproc":
      skipBlanks(parser)
      return parseShellCommand(parser)
    case "time": {
      consume(parser, /[ \t]+-p(?=[ \t])/y)
      skipBlanks(parser)
      const block = parseBlock(parser)
      // The external program of that name has options; its words are analyzed later.
      if (block === null) parser.position = start
      return block
    }
    default:
      return null
  }
}

function parseParentheses(parser: Parser): Command {
  const end = peek(parser, 1) === "(" ? arithmeticEnd(parser.text, parser.position + 2) : -1
  if (end >= 0) {
    const inside = parseParts(nestedParser(parser, parser.text.slice(parser.position + 2, end)), "", true)
    parser.position = end + 2
    return { type: "simple", words: [{ parts: [{ type: "number", inside }], source: "((...))" }], redirections: [] }
  }
  parser.position++
  return withRedirections(parser, { type: "subshell", body: parseUntil(parser, ")") })
}

/** The commands up to this end, and the end. */
function parseUntil(parser: Parser, end: string): Script {
  const body = parseSteps(parser, [end])
  parser.position += end.length
  return body
}

function parseIf(parser: Parser): Command {
  const branches: { condition: Script; body: Script }[] = []
  for (let word = "if"; word === "if" || word === "elif" || word === "else"; word = consume(parser, /\w+/y)) {
    const condition = word === "else" ? [] : parseUntil(parser, "then")
    branches.push({ condition, body: parseSteps(parser, ["elif", "else", "fi"]) })
  }
  return withRedirections(parser, { type: "branches", branches })
}

function parseFor(parser: Parser): Command {
  skipBlanks(parser)
  let words: readonly Word[] | null = null
  const end = parser.text.startsWith("((", parser.position) ? arithmeticEnd(parser.text, parser.position + 2) : -1
  const name = parseWord(parser).source
  if (end >= 0) parser.position = end + 2
  skipSpace(parser)
  if (consume(parser, /in(?=[\s;])/y) !== "") {
    const found: Word[] = []
    for (skipBlanks(parser); !"\n;&|)".includes(peek(parser) || "\n"); skipBlanks(parser))
      found.push(parseWordOrCharacter(parser))
    words = found
  }
  consume(parser, /[ \t]*;/y)
  skipSpace(parser)
  const [begin = "do", done] = peek(parser) === "{" ? ["{", "}"] : ["do", "done"]
  if (isAtKeyword(parser, [begin])) parser.position += begin.length
  return withRedirections(parser, { type: "for", name, words, body: parseUntil(parser, done ?? "done") })
}

function parseCase(parser: Parser): Command {
  skipBlanks(parser)
  const branches: { condition: Script; body: Script }[] = []
  // Commands in the compared word run before all branches.
  const compared: Command = { type: "simple", words: [noOpWord, parseWord(parser)], redirections: [] }
  skipSpace(parser)
  consume(parser, /in(?=\s)/y)
  for (skipSpace(parser); peek(parser) !== "" && !isAtKeyword(parser, ["esac"]); skipSpace(parser)) {
    for (consume(parser, /\(/y); !")\n".includes(peek(parser) || ")"); skipBlanks(parser)) parseWordOrCharacter(parser)
    parser.position++
    branches.push({ condition: [], body: parseSteps(parser, ["esac", ";;", ";&"]) })
    consume(parser, /;;&|;;|;&/y)
  }
  parser.position += "esac".length
  const [first = { condition: [], body: [] }, ...rest] = branches
  const condition: Script = [{ before: ";", startsLine: false, commands: [compared], background: false }]
  return withRedirections(parser, { type: "branches", branches: [{ ...first, condition }, ...rest] })
}

/** A no-op command: `:`. */
const noOpWord: Word = { parts: [{ type: "text", text: ":", quoted: true }], source: ":" }

/** `[[ ... ]]`, in which operators are words. */
function parseTest(parser: Parser): Command {
  const words: Word[] = [noOpWord]
  for (skipSpace(parser); peek(parser) !== "" && !isAtKeyword(parser, ["]]"]); skipSpace(parser))
    words.push(parseWordOrCharacter(parser))
  parser.position += 2
  return withRedirections(parser, { type: "simple", words })
}

function parseWordOrCharacter(parser: Parser): Word {
  const from = parser.position
  const word = parseWord(parser)
  if (parser.position === from) parser.position++
  return word
}

function parseFunction(parser: Parser, name: string): Command | null {
  skipSpace(parser)
  const body = parseShellCommand(parser)
  return body === null ? null : { type: "function", name, body }
}

function parseSimple(parser: Parser): Command | null {
  const words: Word[] = []
  const redirections: Redirection[] = []
  for (;;) {
    skipBlanks(parser)
    if (parseRedirection(parser, redirections)) continue
    const char = peek(parser)
    if (char === "(" && words.length === 1 && consume(parser, /\(\s*\)/y) !== "")
      return parseFunction(parser, words[0]?.source ?? "")
    if ("\n;&|()".includes(char)) break
    const word = parseWord(parser)
    const list = /^[A-Za-z_]\w*\+?=$/.test(word.source) && peek(parser) === "(" ? parseList(parser) : null
    words.push(list === null ? word : { ...word, list })
  }
  return words.length + redirections.length === 0 ? null : { type: "simple", words, redirections }
}

function parseList(parser: Parser): readonly Word[] {
  const words: Word[] = []
  parser.position++
  for (skipSpace(parser); peek(parser) !== "" && peek(parser) !== ")"; skipSpace(parser))
    words.push(parseWordOrCharacter(parser))
  parser.position++
  return words
}

function withRedirections<const T extends object>(
  parser: Parser,
  block: T,
): T & { redirections: readonly Redirection[] } {
  const redirections: Redirection[] = []
  skipBlanks(parser)
  while (parseRedirection(parser, redirections)) skipBlanks(parser)
  return { ...block, redirections }
}

const redirectionForm = /(?:\d{1,9}|\{\w{1,60}\})?(&>>?|>>|>\||>&|<<<|<<-?|<&|<>|<(?!\()|>(?!\())/y

function parseRedirection(parser: Parser, found: Redirection[]): boolean {
  redirectionForm.lastIndex = parser.position
  const [whole, operator] = redirectionForm.exec(parser.text) ?? []
  if (whole === undefined || operator === undefined) return false
  parser.position += whole.length
  skipBlanks(parser)
  const redirection: Redirection = { operator, target: parseWord(parser), body: null }
  found.push(redirection)
  if (operator !== "<<" && operator !== "<<-") return true
  const { source } = redirection.target
  const end = source.replaceAll(/["'\\]/g, "")
  parser.pending.push({ redirection, end, indented: operator === "<<-", quoted: end !== source })
  return true
}

function skipBlanks(parser: Parser): void {
  consume(parser, /(?:[ \t]|\\\n)+/y)
  if (peek(parser) === "#") consume(parser, /[^\n]+/y)
}

function skipSpace(parser: Parser): void {
  for (skipBlanks(parser); peek(parser) === "\n"; skipBlanks(parser)) {
    parser.position++
    for (const pending of parser.pending.splice(0)) parseHereDocument(parser, pending)
  }
}

/** The text of a here-document, from here up to its end line. */
function parseHereDocument(parser: Parser, { redirection, end, indented, quoted }: PendingHereDocument): void {
  const lines: string[] = []
  while (parser.position < parser.text.length) {
    const line = consume(parser, /[^\n]*/y)
    parser.position++
    const stripped = indented ? line.replace(/^\t+/, "") : line
    if (stripped === end) break
    lines.push(stripped)
  }
  const text = lines.join("\n")
  redirection.body = quoted ? [{ type: "text", text, quoted: true }] : parseParts(nestedParser(parser, text), "", true)
}
