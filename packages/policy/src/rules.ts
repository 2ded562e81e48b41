import { literalWild, phrase, type Phrase, type Wild, wildTest } from "@gong/spec"
import type { Word } from "./command/command.ts"
import { networkRule } from "./network-rule.ts"
import { globMatches } from "./paths.ts"
import { nameOf } from "./command/unwrap.ts"

/** `bash(git push *)`: a tool and a pattern; null for any use. */
export interface Rule {
  readonly tool: string
  readonly pattern: string | null
  /** The original text. */
  readonly text: string
}

export type RuleRead = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly problem: Phrase }

/**
 * Parses `tool` or `tool(pattern)`; accepts capital letters and `git:*` for `git *`. `known`: valid tool names; null for any.
 * The problem is a sentence fragment.
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

/** A command rule as an allow rule: matches word by word, plain words only. A final `*` matches any further words, one inside a word any characters. */
export function allowsCommand(rule: Rule, words: readonly Word[]): boolean {
  const { pattern } = rule
  if (pattern === null || namesAnyCommand(rule)) return true
  const wanted = pattern.split(/\s+/)
  const open = wanted.at(-1) === "*"
  if (open) wanted.pop()
  if (wanted.length === 0 || words.length < wanted.length || (!open && words.length > wanted.length)) return false
  // An expansion, or a leading assignment, is not what the rule's author saw.
  if (!words.every((word) => word.literal)) return false
  return wanted.every((pattern, at) => wordMatches(pattern, words[at]?.text ?? ""))
}

/** A command rule as a deny rule: also matches the program's bare name, git's verb after its own options, and text that is not understood. */
export function deniesCommand(rule: Rule, runs: readonly (readonly Word[])[], guessed: string | null): boolean {
  const { pattern } = rule
  if (pattern === null || namesAnyCommand(rule)) return true
  if (runs.some((words) => formsOf(words).some((form) => lineMatches(pattern, form)))) return true
  return guessed !== null && mentions(guessed, pattern)
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
  const wanted = labels(pattern)
  const given = labels(new URL(url).hostname)
  if (wanted[0] !== "*") return wanted.join(".") === given.join(".")
  return given.length >= wanted.length && given.slice(1 - wanted.length).join(".") === wanted.slice(1).join(".")
}

/** A host, its subdomains, or either with a port. */
const placePattern = /^(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?(?::\d{1,5})?$/

/** Destination of a connection; `port` of a pattern is null if not given. */
export interface NetworkPlace {
  /** In lower case. */
  readonly host: string
  readonly port: number
}

/** In an allow rule a host without a port means the two default ports; in a deny rule all ports. */
export function matchesNetwork({ tool, pattern }: Rule, { host, port }: NetworkPlace, verb: "allow" | "deny"): boolean {
  if (tool !== networkRule) return false
  const [name = "", wanted] = (pattern ?? "").split(":")
  const usual = verb === "deny" || port === 80 || port === 443
  if (pattern === null) return usual
  return matchesHost(name, `https://${host}/`) && (wanted === undefined ? usual : Number(wanted) === port)
}

/** The ports in rules. */
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

/** A star matches any characters, a blank one or more blanks. */
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

/** Git's own options precede the verb: `git -C x -c a=b push` is `git push`. */
export function gitWords(texts: readonly string[]): readonly string[] {
  let at = 1
  while (texts[at]?.startsWith("-"))
    at += /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(texts[at] ?? "") ? 2 : 1
  return texts.slice(at)
}

/** Whether all plain words of the pattern occur, even with quotes or backslashes between their letters. */
function mentions(text: string, pattern: string): boolean {
  const wanted = pattern.split(/\s+/).filter((word) => !word.includes("*"))
  const words = new Set([...pieces(text), ...pieces(text.replaceAll(/["'\\]/g, ""))])
  return wanted.length > 0 && wanted.every((word) => words.has(word))
}

function pieces(text: string): readonly string[] {
  return text.split(/[\s;&|()<>`"'$\\{}=/,]+/)
}
