import {
  arithmeticEnd,
  at,
  matched,
  maxNesting,
  type PendingText,
  type Reader,
  readerOf,
  readParts,
  readWord,
  skipRest,
} from "./parse-words.ts"
import type { Command, Redirection, Script, Step, Word } from "./syntax.ts"

/**
 * Parses a shell script like bash, as far as it determines which commands run with which words. Never throws: invalid parts are
 * skipped, since bash runs the part before them anyway. `skips` is called if something was not parsed.
 */
export function readScript(text: string, skips: () => void): Script {
  const reader = { ...readerOf({ commands: readSteps, depth: 0, skips }, text), depth: 0 }
  const steps: Step[] = []
  // A surplus bracket or `done` ends nothing here.
  for (; reader.at < text.length; reader.at++) steps.push(...readSteps(reader, []))
  return steps
}

function readSteps(reader: Reader, ends: readonly string[]): Step[] {
  const steps: Step[] = []
  let before: Step["before"] = ";"
  for (;;) {
    skipSpace(reader)
    const from = reader.at
    if (at(reader) === "" || endsHere(reader, ends)) return steps
    const commands = readPipeline(reader)
    const [operator, background] = readSeparator(reader)
    if (commands.length > 0) steps.push({ before, commands, background })
    before = operator
    if (reader.at === from) reader.at++
  }
}

/** Keywords are not recognized if letters follow. */
function endsHere(reader: Reader, ends: readonly string[]): boolean {
  return ends.some((end) => {
    if (!reader.text.startsWith(end, reader.at)) return false
    return /^\W/.test(end) && end !== "}" ? true : isWordEnd(reader.text[reader.at + end.length] ?? "")
  })
}

/** Empty `char`: the end of the text. */
function isWordEnd(char: string): boolean {
  return " \t\n;&|()<>".includes(char)
}

function readSeparator(reader: Reader): [Step["before"], boolean] {
  const operator = matched(reader, /&&|\|\||&(?![>])|;(?![;&])/y)
  return [operator === "&&" || operator === "||" ? operator : ";", operator === "&"]
}

function readPipeline(reader: Reader): readonly Command[] {
  const commands: Command[] = []
  do {
    skipSpace(reader)
    const command = readCommand(reader)
    if (command !== null) commands.push(command)
    skipBlanks(reader)
  } while (matched(reader, /\|&?(?!\|)/y) !== "")
  return commands
}

const blocks = /(?:if|while|until|for|select|case|function|\{|\[\[|!|time|coproc)(?=[\s;&|()<>]|$)/y

function readCommand(reader: Reader): Command | null {
  if (reader.depth >= maxNesting) {
    skipRest(reader)
    return null
  }
  reader.depth++
  try {
    return readBlock(reader) ?? readSimple(reader)
  } finally {
    reader.depth--
  }
}

function readBlock(reader: Reader): Command | null {
  const start = reader.at
  if (at(reader) === "(") return bracketed(reader)
  const word = matched(reader, blocks)
  switch (word) {
    case "{":
      return withRedirections(reader, { type: "group", body: readUpTo(reader, "}") })
    case "if":
      return readIf(reader)
    case "while":
    case "until": {
      const condition = readUpTo(reader, "do")
      return withRedirections(reader, { type: "loop", condition, body: readUpTo(reader, "done") })
    }
    case "for":
    case "select":
      return readFor(reader)
    case "case":
      return readCase(reader)
    case "function": {
      skipBlanks(reader)
      const name = readWord(reader).source
      matched(reader, /\s*\(\s*\)/y)
      return readFunction(reader, name)
    }
    case "[[":
      return readTest(reader)
    case "!":
    case "coproc":
      skipBlanks(reader)
      return readCommand(reader)
    case "time": {
      matched(reader, /[ \t]+-p(?=[ \t])/y)
      skipBlanks(reader)
      const block = readBlock(reader)
      // The external program of that name has options; its words are judged later.
      if (block === null) reader.at = start
      return block
    }
    default:
      return null
  }
}

function bracketed(reader: Reader): Command {
  const end = at(reader, 1) === "(" ? arithmeticEnd(reader.text, reader.at + 2) : -1
  if (end >= 0) {
    const inside = readParts(readerOf(reader, reader.text.slice(reader.at + 2, end)), "", true)
    reader.at = end + 2
    return { type: "simple", words: [{ parts: [{ type: "number", inside }], source: "((...))" }], redirections: [] }
  }
  reader.at++
  return withRedirections(reader, { type: "subshell", body: readUpTo(reader, ")") })
}

/** The commands up to this end, and the end. */
function readUpTo(reader: Reader, end: string): Script {
  const body = readSteps(reader, [end])
  reader.at += end.length
  return body
}

function readIf(reader: Reader): Command {
  const branches: { condition: Script; body: Script }[] = []
  for (let word = "if"; word === "if" || word === "elif" || word === "else"; word = matched(reader, /\w+/y)) {
    const condition = word === "else" ? [] : readUpTo(reader, "then")
    branches.push({ condition, body: readSteps(reader, ["elif", "else", "fi"]) })
  }
  return withRedirections(reader, { type: "branches", branches })
}

function readFor(reader: Reader): Command {
  skipBlanks(reader)
  let words: readonly Word[] | null = null
  const end = reader.text.startsWith("((", reader.at) ? arithmeticEnd(reader.text, reader.at + 2) : -1
  const name = readWord(reader).source
  if (end >= 0) reader.at = end + 2
  skipSpace(reader)
  if (matched(reader, /in(?=[\s;])/y) !== "") {
    const found: Word[] = []
    for (skipBlanks(reader); !"\n;&|)".includes(at(reader) || "\n"); skipBlanks(reader))
      found.push(wordOrCharacter(reader))
    words = found
  }
  matched(reader, /[ \t]*;/y)
  skipSpace(reader)
  const [begin = "do", done] = at(reader) === "{" ? ["{", "}"] : ["do", "done"]
  if (endsHere(reader, [begin])) reader.at += begin.length
  return withRedirections(reader, { type: "for", name, words, body: readUpTo(reader, done ?? "done") })
}

function readCase(reader: Reader): Command {
  skipBlanks(reader)
  const branches: { condition: Script; body: Script }[] = []
  // Commands in the compared word run before all branches.
  const compared: Command = { type: "simple", words: [noName, readWord(reader)], redirections: [] }
  skipSpace(reader)
  matched(reader, /in(?=\s)/y)
  for (skipSpace(reader); at(reader) !== "" && !endsHere(reader, ["esac"]); skipSpace(reader)) {
    for (matched(reader, /\(/y); !")\n".includes(at(reader) || ")"); skipBlanks(reader)) wordOrCharacter(reader)
    reader.at++
    branches.push({ condition: [], body: readSteps(reader, ["esac", ";;", ";&"]) })
    matched(reader, /;;&|;;|;&/y)
  }
  reader.at += "esac".length
  const [first = { condition: [], body: [] }, ...rest] = branches
  const condition: Script = [{ before: ";", commands: [compared], background: false }]
  return withRedirections(reader, { type: "branches", branches: [{ ...first, condition }, ...rest] })
}

/** A no-op command: `:`. */
const noName: Word = { parts: [{ type: "text", text: ":", quoted: true }], source: ":" }

/** `[[ ... ]]`, in which operators are words. */
function readTest(reader: Reader): Command {
  const words: Word[] = [noName]
  for (skipSpace(reader); at(reader) !== "" && !endsHere(reader, ["]]"]); skipSpace(reader))
    words.push(wordOrCharacter(reader))
  reader.at += 2
  return withRedirections(reader, { type: "simple", words })
}

function wordOrCharacter(reader: Reader): Word {
  const from = reader.at
  const word = readWord(reader)
  if (reader.at === from) reader.at++
  return word
}

function readFunction(reader: Reader, name: string): Command | null {
  skipSpace(reader)
  const body = readCommand(reader)
  return body === null ? null : { type: "function", name, body }
}

function readSimple(reader: Reader): Command | null {
  const words: Word[] = []
  const redirections: Redirection[] = []
  for (;;) {
    skipBlanks(reader)
    if (readRedirection(reader, redirections)) continue
    const char = at(reader)
    if (char === "(" && words.length === 1 && matched(reader, /\(\s*\)/y) !== "")
      return readFunction(reader, words[0]?.source ?? "")
    if ("\n;&|()".includes(char)) break
    const word = readWord(reader)
    const list = /^[A-Za-z_]\w*\+?=$/.test(word.source) && at(reader) === "(" ? readList(reader) : null
    words.push(list === null ? word : { ...word, list })
  }
  return words.length + redirections.length === 0 ? null : { type: "simple", words, redirections }
}

function readList(reader: Reader): readonly Word[] {
  const words: Word[] = []
  reader.at++
  for (skipSpace(reader); at(reader) !== "" && at(reader) !== ")"; skipSpace(reader))
    words.push(wordOrCharacter(reader))
  reader.at++
  return words
}

function withRedirections<const T extends object>(
  reader: Reader,
  block: T,
): T & { redirections: readonly Redirection[] } {
  const redirections: Redirection[] = []
  skipBlanks(reader)
  while (readRedirection(reader, redirections)) skipBlanks(reader)
  return { ...block, redirections }
}

const redirectionForm = /(?:\d{1,9}|\{\w{1,60}\})?(&>>?|>>|>\||>&|<<<|<<-?|<&|<>|<(?!\()|>(?!\())/y

function readRedirection(reader: Reader, found: Redirection[]): boolean {
  redirectionForm.lastIndex = reader.at
  const [whole, operator] = redirectionForm.exec(reader.text) ?? []
  if (whole === undefined || operator === undefined) return false
  reader.at += whole.length
  skipBlanks(reader)
  const redirection: Redirection = { operator, target: readWord(reader), body: null }
  found.push(redirection)
  if (operator !== "<<" && operator !== "<<-") return true
  const { source } = redirection.target
  const end = source.replaceAll(/["'\\]/g, "")
  reader.pending.push({ redirection, end, indented: operator === "<<-", quoted: end !== source })
  return true
}

function skipBlanks(reader: Reader): void {
  matched(reader, /(?:[ \t]|\\\n)+/y)
  if (at(reader) === "#") matched(reader, /[^\n]+/y)
}

function skipSpace(reader: Reader): void {
  for (skipBlanks(reader); at(reader) === "\n"; skipBlanks(reader)) {
    reader.at++
    for (const pending of reader.pending.splice(0)) readText(reader, pending)
  }
}

/** The text of a here-document, from here up to its end line. */
function readText(reader: Reader, { redirection, end, indented, quoted }: PendingText): void {
  const lines: string[] = []
  while (reader.at < reader.text.length) {
    const line = matched(reader, /[^\n]*/y)
    reader.at++
    const shown = indented ? line.replace(/^\t+/, "") : line
    if (shown === end) break
    lines.push(shown)
  }
  const text = lines.join("\n")
  redirection.body = quoted ? [{ type: "text", text, quoted: true }] : readParts(readerOf(reader, text), "", true)
}
