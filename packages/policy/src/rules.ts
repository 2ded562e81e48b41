import { literalWild, phrase, type Phrase, type Wild, wildTest } from "@gong/spec"
import type { Word } from "./command/command.ts"
import { networkRule, serverRule } from "./rule-names.ts"
import { globMatches } from "./paths.ts"
import { nameOf } from "./command/unwrap.ts"

/** `bash(git push *)`: a tool and a pattern; null for any use. */
export interface Rule {
  readonly tool: string
  readonly pattern: string | null
  /** The original text. */
  readonly text: string
}

export type ParsedRule = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly problem: Phrase }

/**
 * Parses `tool` or `tool(pattern)`; accepts capital letters and `git:*` for `git *`. `known`: valid tool names; null for any.
 * The problem is a sentence fragment.
 */
export function parseRule(text: string, known: readonly string[] | null = null): ParsedRule {
  const [, name = "", inner] = /^\s*([A-Za-z][\w.-]*)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? []
  const tool = name.toLowerCase()
  if (tool === "" || inner?.trim() === "")
    return { ok: false, problem: phrase`"${text}" is no rule. Write bash(git push *) or edit(src/**).` }
  if (known !== null && !known.some((one) => one.toLowerCase() === tool))
    return { ok: false, problem: phrase`"${text}": there is no tool "${name}" (${known.join(", ")}).` }
  const pattern = inner?.trim().replace(/:\*$/, " *")
  if (tool === networkRule && pattern !== undefined && !destinationPattern.test(pattern))
    return {
      ok: false,
      problem: phrase`"${text}": write a host, as network(example.com), network(*.example.com) or network(db.example.com:5432).`,
    }
  return { ok: true, rule: { tool, text: text.trim(), pattern: pattern ?? null } }
}

/** `bash`, `bash(*)`: every command, also an incompletely parsed one. */
export function matchesAnyCommand({ pattern }: Rule): boolean {
  return pattern === null || /^\*+$/.test(pattern)
}

/** A command rule as an allow rule: matches word by word, plain words only. A final `*` matches any further words, one inside a word any characters. */
export function allowsCommand(rule: Rule, words: readonly Word[]): boolean {
  const { pattern } = rule
  if (pattern === null || matchesAnyCommand(rule)) return true
  const expected = pattern.split(/\s+/)
  const isPrefix = expected.at(-1) === "*"
  if (isPrefix) expected.pop()
  if (expected.length === 0 || words.length < expected.length || (!isPrefix && words.length > expected.length))
    return false
  // The value of an expansion is unknown, so no pattern can allow it.
  if (!words.every((word) => word.literal)) return false
  return expected.every((pattern, at) => wordMatches(pattern, words[at]?.text ?? ""))
}

/** A command rule as a deny rule: also matches the program's bare name, git's verb after its own options, and incompletely parsed text. */
export function deniesCommand(rule: Rule, runs: readonly (readonly Word[])[], incompleteText: string | null): boolean {
  const { pattern } = rule
  if (pattern === null || matchesAnyCommand(rule)) return true
  if (runs.some((words) => formsOf(words).some((form) => lineMatches(pattern, form)))) return true
  return incompleteText !== null && mentions(incompleteText, pattern)
}

/** Patterns are absolute, begin with `~/`, or are relative to the workspace. */
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

/** `docs.example.com` is that host only; `*.example.com` all its subdomains. Compared label by label, case-insensitively. */
export function matchesHost(pattern: string, url: unknown): boolean {
  if (typeof url !== "string" || !URL.canParse(url)) return false
  const labels = (host: string) => host.toLowerCase().replace(/\.$/, "").split(".")
  const expected = labels(pattern)
  const actual = labels(new URL(url).hostname)
  if (expected[0] !== "*") return expected.join(".") === actual.join(".")
  return actual.length >= expected.length && actual.slice(1 - expected.length).join(".") === expected.slice(1).join(".")
}

/** Compared with regard to case, since tools and servers may differ in it alone; a star matches any characters. */
export function matchesServerTool({ tool, pattern }: Rule, name: string): boolean {
  return tool === serverRule && (pattern === null || wildTest(wildcardsOf(pattern))(name))
}

/** A host, its subdomains, or either with a port. */
const destinationPattern = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?(?::\d{1,5})?$/

/** Destination of a connection; `port` of a pattern is null if not given. */
export interface NetworkDestination {
  /** In lower case. */
  readonly host: string
  readonly port: number
}

/** In an allow rule a host without a port means the two default ports; in a deny rule all ports. */
export function matchesNetwork(
  { tool, pattern }: Rule,
  { host, port }: NetworkDestination,
  verb: "allow" | "deny",
): boolean {
  if (tool !== networkRule) return false
  const [name = "", expected] = (pattern ?? "").split(":")
  const isDefault = verb === "deny" || port === 80 || port === 443
  if (pattern === null) return isDefault
  return matchesHost(name, `https://${host}/`) && (expected === undefined ? isDefault : Number(expected) === port)
}

/** The ports in rules. */
export function portsInRules(rules: readonly Rule[]): readonly number[] {
  const ports = rules.flatMap(({ tool, pattern }) => (tool === networkRule ? [pattern?.split(":")[1]] : []))
  return [...new Set(ports.flatMap((port) => (port === undefined ? [] : [Number(port)])))]
}

function wordMatches(pattern: string, text: string): boolean {
  return wildTest(wildcardsOf(pattern))(text)
}

const anything: Wild = { many: [{ one: () => true }] }

function lineMatches(pattern: string, line: string): boolean {
  const isPrefix = pattern.endsWith(" *")
  const rest: readonly Wild[] = isPrefix ? [{ either: [[], [...literalWild(" "), anything]] }] : []
  return wildTest([...wildcardsOf(isPrefix ? pattern.slice(0, -2) : pattern), ...rest])(line)
}

/** A star matches any characters, a blank one or more blanks. */
function wildcardsOf(pattern: string): readonly Wild[] {
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

/** Git's own options precede the verb: `git -C x -c a=b push` is `git push`. */
export function gitWords(texts: readonly string[]): readonly string[] {
  let at = 1
  while (texts[at]?.startsWith("-"))
    at += /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(texts[at] ?? "") ? 2 : 1
  return texts.slice(at)
}

/** Whether all plain words of the pattern occur, even with quotes or backslashes between their letters. */
function mentions(text: string, pattern: string): boolean {
  const expected = pattern.split(/\s+/).filter((word) => !word.includes("*"))
  const words = new Set([...splitWords(text), ...splitWords(text.replaceAll(/["'\\]/g, ""))])
  return expected.length > 0 && expected.every((word) => words.has(word))
}

function splitWords(text: string): readonly string[] {
  return text.split(/[\s;&|()<>`"'$\\{}=/,]+/)
}
