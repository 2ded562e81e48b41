import { literalWild, phrase, type Phrase, type Wild, wildTest } from "@gong/spec"
import type { Word } from "./command.ts"
import { networkRule } from "./network-rule.ts"
import { globMatches } from "./paths.ts"
import { nameOf } from "./unwrap.ts"

/** `bash(git push *)`: a tool, and what it is used on; null: on anything. */
export interface Rule {
  readonly tool: string
  readonly pattern: string | null
  /** As it was written. */
  readonly text: string
}

export type RuleRead = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly problem: Phrase }

/**
 * Reads `tool` or `tool(pattern)`; capital letters and `git:*` for `git *` are accepted. `known`: the tools
 * that may be named; null: any name may be one. The problem is half a sentence.
 */
export function parseRule(text: string, known: readonly string[] | null = null): RuleRead {
  const [, name = "", inner] = /^\s*([A-Za-z][\w.-]*)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? []
  const tool = name.toLowerCase()
  if (tool === "" || inner?.trim() === "")
    return { ok: false, problem: phrase`"${text}" is no rule. Write bash(git push *) or edit(src/**).` }
  if (known !== null && !known.some((one) => one.toLowerCase() === tool))
    return { ok: false, problem: phrase`"${text}": there is no tool "${name}" (${known.join(", ")}).` }
  const pattern = inner?.trim().replace(/:\*$/, " *")
  if (tool === networkRule && pattern !== undefined && !placePattern.test(pattern))
    return {
      ok: false,
      problem: phrase`"${text}": write a host, as network(example.com), network(*.example.com) or network(db.example.com:5432).`,
    }
  return { ok: true, rule: { tool, text: text.trim(), pattern: pattern ?? null } }
}

/** `bash`, `bash(*)`: every command, understood or not. */
export function namesAnyCommand({ pattern }: Rule): boolean {
  return pattern === null || /^\*+$/.test(pattern)
}

/** Of a rule for commands. For allowing: word by word, every word plain. A last `*` stands for any further words, one inside a word for any characters. */
export function allowsCommand(rule: Rule, words: readonly Word[]): boolean {
  const { pattern } = rule
  if (pattern === null || namesAnyCommand(rule)) return true
  const wanted = pattern.split(/\s+/)
  const open = wanted.at(-1) === "*"
  if (open) wanted.pop()
  if (wanted.length === 0 || words.length < wanted.length || (!open && words.length > wanted.length)) return false
  // What is expanded, or an assignment in front, is not what the rule's author saw.
  if (!words.every((word) => word.literal)) return false
  return wanted.every((pattern, at) => wordMatches(pattern, words[at]?.text ?? ""))
}

/** Of a rule for commands. For denying: also by the program's bare name, without git's options before the verb, and in a text that is only guessed at. */
export function deniesCommand(rule: Rule, runs: readonly (readonly Word[])[], guessed: string | null): boolean {
  const { pattern } = rule
  if (pattern === null || namesAnyCommand(rule)) return true
  if (runs.some((words) => formsOf(words).some((form) => lineMatches(pattern, form)))) return true
  return guessed !== null && mentions(guessed, pattern)
}

/** Patterns are absolute, begin with `~/`, or are meant from the workspace. */
export function matchesPath(rule: Rule, paths: readonly string[], workspace: string, home: string): boolean {
  if (rule.pattern === null) return true
  const { pattern } = rule
  const whole = pattern.startsWith("/")
    ? pattern
    : pattern.startsWith("~/")
      ? home + pattern.slice(1)
      : `${workspace}/${pattern.replace(/^\.\//, "")}`
  return paths.some((path) => globMatches(whole, path))
}

/** `docs.example.com` is that host and no other; `*.example.com` all below it. Compared label by label, whatever the letters' case. */
export function matchesHost(pattern: string, url: unknown): boolean {
  if (typeof url !== "string" || !URL.canParse(url)) return false
  const labels = (host: string) => host.toLowerCase().replace(/\.$/, "").split(".")
  const wanted = labels(pattern)
  const given = labels(new URL(url).hostname)
  if (wanted[0] !== "*") return wanted.join(".") === given.join(".")
  return given.length >= wanted.length && given.slice(1 - wanted.length).join(".") === wanted.slice(1).join(".")
}

/** A host, all below one, or either with a port. */
const placePattern = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?(?::\d{1,5})?$/

/** Where a command connects to; `port` of a pattern is null where none is written. */
export interface NetworkPlace {
  /** In lower case. */
  readonly host: string
  readonly port: number
}

/** For allowing, a host alone means its two usual ports; for denying, all of them. */
export function matchesNetwork({ tool, pattern }: Rule, { host, port }: NetworkPlace, verb: "allow" | "deny"): boolean {
  if (tool !== networkRule) return false
  const [name = "", wanted] = (pattern ?? "").split(":")
  const usual = verb === "deny" || port === 80 || port === 443
  if (pattern === null) return usual
  return matchesHost(name, `https://${host}/`) && (wanted === undefined ? usual : Number(wanted) === port)
}

/** The ports that rules name. */
export function portsNamed(rules: readonly Rule[]): readonly number[] {
  const written = rules.flatMap(({ tool, pattern }) => (tool === networkRule ? [pattern?.split(":")[1]] : []))
  return [...new Set(written.flatMap((port) => (port === undefined ? [] : [Number(port)])))]
}

function wordMatches(pattern: string, text: string): boolean {
  return wildTest(starred(pattern))(text)
}

const anything: Wild = { many: [{ one: () => true }] }

function lineMatches(pattern: string, line: string): boolean {
  const open = pattern.endsWith(" *")
  const rest: readonly Wild[] = open ? [{ either: [[], [...literalWild(" "), anything]] }] : []
  return wildTest([...starred(open ? pattern.slice(0, -2) : pattern), ...rest])(line)
}

/** A star is any characters, a blank any number of them. */
function starred(pattern: string): readonly Wild[] {
  const parts = pattern.match(/\*|\s+|[^*\s]+/g) ?? []
  return parts.flatMap((part) => {
    if (part === "*") return [anything]
    return part.trim() === "" ? [...literalWild(" "), { many: literalWild(" ") }] : literalWild(part)
  })
}

function formsOf(words: readonly Word[]): readonly string[] {
  const texts = words.map((word) => word.text)
  const bare = [nameOf(words), ...texts.slice(1)]
  return [texts.join(" "), bare.join(" "), ...(bare[0] === "git" ? [["git", ...gitWords(bare)].join(" ")] : [])]
}

/** Git's own options stand before the verb: `git -C x -c a=b push` is `git push`. */
export function gitWords(texts: readonly string[]): readonly string[] {
  let at = 1
  while (texts[at]?.startsWith("-"))
    at += /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(texts[at] ?? "") ? 2 : 1
  return texts.slice(at)
}

/** Whether the plain words of the pattern all occur, also when quotes or backslashes are strewn between their letters. */
function mentions(text: string, pattern: string): boolean {
  const wanted = pattern.split(/\s+/).filter((word) => !word.includes("*"))
  const words = new Set([...pieces(text), ...pieces(text.replaceAll(/["'\\]/g, ""))])
  return wanted.length > 0 && wanted.every((word) => words.has(word))
}

function pieces(text: string): readonly string[] {
  return text.split(/[\s;&|()<>`"'$\\{}=/,]+/)
}
