/** A word without quotes and escapes. */
export interface Word {
  readonly text: string
  /** The shell uses exactly this text: no expansion but the file patterns of `glob`. */
  readonly literal: boolean
  /** Contains an unquoted `*`, `?` or `[`. */
  readonly glob: boolean
  /** Begins with an unquoted `~`. */
  readonly tilde: boolean
}

/** One program with its arguments. */
export interface SimpleCommand {
  readonly words: readonly Word[]
  /** Files that receive output. */
  readonly targets: readonly Word[]
  /** The operator before this command. */
  readonly precededBy: Separator | null
}

export type Separator = "&&" | "||" | ";" | "&" | "|" | "nested"

export interface ParsedCommand {
  /** In the order of their beginning, including commands in substitutions. */
  readonly commands: readonly SimpleCommand[]
  /** False if the text has syntax that is not supported; then `commands` is an approximation. */
  readonly complete: boolean
}

/**
 * Parses a shell command: quotes, escapes, chains, pipes, redirections. It deliberately supports less than a shell; anything
 * else makes the result incomplete. Linear, never throws.
 */
export function parseCommand(text: string): ParsedCommand {
  const parser: Parser = {
    text,
    position: 0,
    complete: !/[^\t\n\x20-\x7e\u00a1-\uffff]/.test(text),
    commands: [],
    frame: newFrame(null, ""),
    outerFrames: [],
  }
  while (parser.position < text.length) step(parser)
  if (parser.frame.quote !== "" || parser.outerFrames.length > 0) parser.complete = false
  for (let frame: Frame | undefined = parser.frame; frame; frame = parser.outerFrames.pop())
    endCommand(parser, frame, ";")
  return { commands: parser.commands, complete: parser.complete }
}

interface Parser {
  readonly text: string
  position: number
  complete: boolean
  readonly commands: SimpleCommand[]
  frame: Frame
  /** Frames of the commands around substitutions. */
  readonly outerFrames: Frame[]
}

/** The command being parsed. */
interface Frame {
  words: Word[]
  targets: Word[]
  precededBy: Separator | null
  /** The open quote. */
  quote: "" | "'" | '"'
  word: OpenWord | null
  /** The next word is the file of a redirection; `out` for output. */
  redirect: "" | "in" | "out"
  /** The character that ends this substitution. */
  readonly end: string
}

interface OpenWord {
  text: string
  literal: boolean
  glob: boolean
  tilde: boolean
  quoted: boolean
}

function newFrame(precededBy: Separator | null, end: string): Frame {
  return { words: [], targets: [], precededBy, quote: "", word: null, redirect: "", end }
}

function step(parser: Parser): void {
  const { frame, text } = parser
  const char = text[parser.position] ?? ""
  if (frame.quote === "'") quoted(parser, char, "'")
  else if (char === "\\") escape(parser)
  else if (char === "$" || char === "`") expansion(parser, char)
  else if (frame.quote === '"') quoted(parser, char, '"')
  else unquoted(parser, char)
}

function quoted(parser: Parser, char: string, quote: string): void {
  parser.position++
  if (char === quote) parser.frame.quote = ""
  else open(parser).text += char
}

function escape(parser: Parser): void {
  const next = parser.text[parser.position + 1]
  parser.position += 2
  // An escaped line end is removed.
  if (next === "\n") return
  const word = open(parser)
  word.quoted = true
  if (next === undefined) parser.complete = false
  else word.text += parser.frame.quote === '"' && !'$`"\\'.includes(next) ? `\\${next}` : next
}

/** `$?` is a number; any other expansion may become any text. Commands in it are parsed as commands. */
function expansion(parser: Parser, char: string): void {
  const rest = parser.text.slice(parser.position, parser.position + 3)
  const word = open(parser)
  if (rest.startsWith("$?")) {
    word.text += "0"
    parser.position += 2
    return
  }
  parser.complete = false
  word.literal = false
  if (char === "`" && parser.frame.end === "`") return leave(parser)
  if (char === "`") return enter(parser, "`", 1)
  if (rest.startsWith("$(")) return enter(parser, ")", 2)
  // `${HOME}` is one word; any other form is an approximation.
  const [variable = char] = /^\$\{\w{1,60}\}/.exec(parser.text.slice(parser.position, parser.position + 64)) ?? []
  word.text += variable
  parser.position += variable.length
}

function enter(parser: Parser, end: string, length: number): void {
  parser.outerFrames.push(parser.frame)
  parser.frame = newFrame("nested", end)
  parser.position += length
}

function leave(parser: Parser): void {
  endCommand(parser, parser.frame, ";")
  parser.frame = parser.outerFrames.pop() ?? newFrame(null, "")
  parser.position++
}

function unquoted(parser: Parser, char: string): void {
  const { frame } = parser
  switch (char) {
    case "'":
    case '"':
      frame.quote = char
      open(parser).quoted = true
      parser.position++
      return
    case " ":
    case "\t":
      endWord(frame)
      parser.position++
      return
    case ">":
    case "<":
      return redirection(parser)
    case "\n":
    case ";":
    case "|":
    case "&":
      return separator(parser)
    case ")":
      if (frame.end === ")") return leave(parser)
      return unsupported(parser)
    case "(":
    case "{":
    case "}":
      return unsupported(parser)
    case "#":
      if (frame.word === null) return comment(parser)
      break
    case "*":
    case "?":
    case "[":
      open(parser).glob = true
      break
    case "~":
      if (frame.word === null) open(parser).tilde = true
      // `a=~/x` and `a:~/x` expand too, but are not supported here.
      else if ("=:".includes(parser.text[parser.position - 1] ?? "")) open(parser).literal = false
      break
    default:
  }
  open(parser).text += char
  parser.position++
}

/** To the end of the line. Inside a substitution, which makes the result incomplete anyway, it may hide the end. */
function comment(parser: Parser): void {
  const end = parser.text.indexOf("\n", parser.position)
  parser.position = end < 0 ? parser.text.length : end
}

/** Subshells, groups, functions, brace expansion: parts are parsed as commands, and the result is incomplete. */
function unsupported(parser: Parser): void {
  parser.complete = false
  endCommand(parser, parser.frame, "nested")
  parser.position++
}

function separator(parser: Parser): void {
  const two = parser.text.slice(parser.position, parser.position + 2)
  if (two === "&>") return redirection(parser)
  if (two === ";;" || two === ";&") parser.complete = false
  const operator = two === "&&" || two === "||" ? two : two === "|&" ? "|" : ""
  const char = parser.text[parser.position]
  parser.position += operator === "" ? 1 : 2
  endCommand(parser, parser.frame, operator !== "" ? operator : char === "|" || char === "&" ? char : ";")
}

/** `>`, `>>`, `>|`, `2>&1`, `&>`, `<`: here-documents and input files make the result incomplete. */
function redirection(parser: Parser): void {
  const { frame } = parser
  // In `2>` the digits are not an argument.
  if (frame.word !== null && /^\d+$/.test(frame.word.text) && !frame.word.quoted) frame.word = null
  endWord(frame)
  const [operator = ""] =
    /^(?:&>>?|>>|>\||>&|<<<|<<-?|<&|<>|[<>])/.exec(parser.text.slice(parser.position, parser.position + 3)) ?? []
  parser.position += operator.length
  const copies = operator === ">&" || operator === "<&"
  const fd = copies
    ? /^(?:\d+|-)(?![^ \t\n;&|)])/.exec(parser.text.slice(parser.position, parser.position + 8))?.[0]
    : undefined
  if (fd !== undefined) {
    parser.position += fd.length
    return
  }
  frame.redirect = operator.startsWith("<") && operator !== "<>" ? "in" : "out"
  if (operator.startsWith("<<") || operator === "<&") parser.complete = false
}

function open(parser: Parser): OpenWord {
  parser.frame.word ??= { text: "", literal: true, glob: false, tilde: false, quoted: false }
  return parser.frame.word
}

function endWord(frame: Frame): void {
  const { word } = frame
  if (word === null) return
  const done: Word = { text: word.text, literal: word.literal, glob: word.glob, tilde: word.tilde }
  if (frame.redirect === "out") frame.targets.push(done)
  else if (frame.redirect === "in") frame.targets.push({ ...done, literal: false })
  else frame.words.push(done)
  frame.redirect = ""
  frame.word = null
}

function endCommand(parser: Parser, frame: Frame, next: Separator): void {
  endWord(frame)
  if (frame.redirect !== "") parser.complete = false
  if (frame.words.length > 0 || frame.targets.length > 0) {
    parser.commands.push({ words: frame.words, targets: frame.targets, precededBy: frame.precededBy })
  }
  frame.words = []
  frame.targets = []
  frame.precededBy = next
  frame.redirect = ""
}
