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
export interface Simple {
  readonly words: readonly Word[]
  /** Files that receive output. */
  readonly targets: readonly Word[]
  /** The operator before this command. */
  readonly after: Separator | null
}

export type Separator = "&&" | "||" | ";" | "&" | "|" | "nested"

export interface ParsedCommand {
  /** In the order of their beginning, including commands in substitutions. */
  readonly commands: readonly Simple[]
  /** False if anything in it has an unclear effect; then `commands` is a guess. */
  readonly understood: boolean
}

/**
 * Parses a shell command: quotes, escapes, chains, pipes, redirections. It deliberately supports less than a shell; anything
 * else makes the whole "not understood". Linear, never throws.
 */
export function parseCommand(text: string): ParsedCommand {
  const reader: Reader = {
    text,
    at: 0,
    understood: !/[^\t\n\x20-\x7e\u00a1-\uffff]/.test(text),
    commands: [],
    frame: newFrame(null, ""),
    above: [],
  }
  while (reader.at < text.length) step(reader)
  if (reader.frame.quote !== "" || reader.above.length > 0) reader.understood = false
  for (let frame: Frame | undefined = reader.frame; frame; frame = reader.above.pop()) endCommand(reader, frame, ";")
  return { commands: reader.commands, understood: reader.understood }
}

interface Reader {
  readonly text: string
  at: number
  understood: boolean
  readonly commands: Simple[]
  frame: Frame
  /** Frames of the commands around substitutions. */
  readonly above: Frame[]
}

/** The command being parsed. */
interface Frame {
  words: Word[]
  targets: Word[]
  after: Separator | null
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

function newFrame(after: Separator | null, end: string): Frame {
  return { words: [], targets: [], after, quote: "", word: null, redirect: "", end }
}

function step(reader: Reader): void {
  const { frame, text } = reader
  const char = text[reader.at] ?? ""
  if (frame.quote === "'") quoted(reader, char, "'")
  else if (char === "\\") escape(reader)
  else if (char === "$" || char === "`") expansion(reader, char)
  else if (frame.quote === '"') quoted(reader, char, '"')
  else unquoted(reader, char)
}

function quoted(reader: Reader, char: string, quote: string): void {
  reader.at++
  if (char === quote) reader.frame.quote = ""
  else open(reader).text += char
}

function escape(reader: Reader): void {
  const next = reader.text[reader.at + 1]
  reader.at += 2
  // An escaped line end is removed.
  if (next === "\n") return
  const word = open(reader)
  word.quoted = true
  if (next === undefined) reader.understood = false
  else word.text += reader.frame.quote === '"' && !'$`"\\'.includes(next) ? `\\${next}` : next
}

/** `$?` is a number; any other expansion may become any text. Commands in it are parsed as commands. */
function expansion(reader: Reader, char: string): void {
  const rest = reader.text.slice(reader.at, reader.at + 3)
  const word = open(reader)
  if (rest.startsWith("$?")) {
    word.text += "0"
    reader.at += 2
    return
  }
  reader.understood = false
  word.literal = false
  if (char === "`" && reader.frame.end === "`") return leave(reader)
  if (char === "`") return enter(reader, "`", 1)
  if (rest.startsWith("$(")) return enter(reader, ")", 2)
  // `${HOME}` is one word; any other form is a guess.
  const [variable = char] = /^\$\{\w{1,60}\}/.exec(reader.text.slice(reader.at, reader.at + 64)) ?? []
  word.text += variable
  reader.at += variable.length
}

function enter(reader: Reader, end: string, length: number): void {
  reader.above.push(reader.frame)
  reader.frame = newFrame("nested", end)
  reader.at += length
}

function leave(reader: Reader): void {
  endCommand(reader, reader.frame, ";")
  reader.frame = reader.above.pop() ?? newFrame(null, "")
  reader.at++
}

function unquoted(reader: Reader, char: string): void {
  const { frame } = reader
  switch (char) {
    case "'":
    case '"':
      frame.quote = char
      open(reader).quoted = true
      reader.at++
      return
    case " ":
    case "\t":
      endWord(frame)
      reader.at++
      return
    case ">":
    case "<":
      return redirection(reader)
    case "\n":
    case ";":
    case "|":
    case "&":
      return separator(reader)
    case ")":
      if (frame.end === ")") return leave(reader)
      return strange(reader)
    case "(":
    case "{":
    case "}":
      return strange(reader)
    case "#":
      if (frame.word === null) return comment(reader)
      break
    case "*":
    case "?":
    case "[":
      open(reader).glob = true
      break
    case "~":
      if (frame.word === null) open(reader).tilde = true
      // `a=~/x` and `a:~/x` expand too, but are not supported here.
      else if ("=:".includes(reader.text[reader.at - 1] ?? "")) open(reader).literal = false
      break
    default:
  }
  open(reader).text += char
  reader.at++
}

/** To the end of the line. Inside a substitution, which is not understood anyway, it may hide the end. */
function comment(reader: Reader): void {
  const end = reader.text.indexOf("\n", reader.at)
  reader.at = end < 0 ? reader.text.length : end
}

/** Subshells, groups, functions, brace expansion: parts are parsed as commands, the whole is not understood. */
function strange(reader: Reader): void {
  reader.understood = false
  endCommand(reader, reader.frame, "nested")
  reader.at++
}

function separator(reader: Reader): void {
  const two = reader.text.slice(reader.at, reader.at + 2)
  if (two === "&>") return redirection(reader)
  if (two === ";;" || two === ";&") reader.understood = false
  const operator = two === "&&" || two === "||" ? two : two === "|&" ? "|" : ""
  const char = reader.text[reader.at]
  reader.at += operator === "" ? 1 : 2
  endCommand(reader, reader.frame, operator !== "" ? operator : char === "|" || char === "&" ? char : ";")
}

/** `>`, `>>`, `>|`, `2>&1`, `&>`, `<`: here-documents and input files are not understood. */
function redirection(reader: Reader): void {
  const { frame } = reader
  // In `2>` the digits are not an argument.
  if (frame.word !== null && /^\d+$/.test(frame.word.text) && !frame.word.quoted) frame.word = null
  endWord(frame)
  const [operator = ""] =
    /^(?:&>>?|>>|>\||>&|<<<|<<-?|<&|<>|[<>])/.exec(reader.text.slice(reader.at, reader.at + 3)) ?? []
  reader.at += operator.length
  const copies = operator === ">&" || operator === "<&"
  const fd = copies ? /^(?:\d+|-)(?![^ \t\n;&|)])/.exec(reader.text.slice(reader.at, reader.at + 8))?.[0] : undefined
  if (fd !== undefined) {
    reader.at += fd.length
    return
  }
  frame.redirect = operator.startsWith("<") && operator !== "<>" ? "in" : "out"
  if (operator.startsWith("<<") || operator === "<&") reader.understood = false
}

function open(reader: Reader): OpenWord {
  reader.frame.word ??= { text: "", literal: true, glob: false, tilde: false, quoted: false }
  return reader.frame.word
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

function endCommand(reader: Reader, frame: Frame, next: Separator): void {
  endWord(frame)
  if (frame.redirect !== "") reader.understood = false
  if (frame.words.length > 0 || frame.targets.length > 0) {
    reader.commands.push({ words: frame.words, targets: frame.targets, after: frame.after })
  }
  frame.words = []
  frame.targets = []
  frame.after = next
  frame.redirect = ""
}
