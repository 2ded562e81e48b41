import { parseJson, phrase } from "@gong/spec"
import { parseRule } from "@gong/policy/rules"
import { shown } from "../candidate.ts"
import type { ImportContext } from "../context.ts"

/**
 * Rules of Codex: calls of `prefix_rule(pattern = [...], decision = "...")` in Starlark. Only the literal form that
 * Codex writes itself is supported.
 */
export function readPrefixRules({ candidates, project, trusted }: ImportContext, path: string, text: string): void {
  for (const { at, body } of callsOf(text)) {
    const from = `${path}:${text.slice(0, at).split("\n").length}`
    const pattern = patternOf(body)
    const decision = /\bdecision\s*=\s*["'](\w+)["']/.exec(body)?.[1] ?? "allow"
    const what = `${decision} ${shown(pattern?.map((words) => words.join("|")).join(" ") ?? body.trim())}`
    const list = decision === "allow" ? "allow" : decision === "forbidden" ? "deny" : null
    const rules = pattern === null ? null : rulesOf(pattern)
    if (rules === null) candidates.skip("rules", from, what, phrase`only lists of plain words are supported.`)
    else if (list === null)
      candidates.skip("rules", from, what, phrase`Gong has no such rules; the level ask always asks.`)
    else if (list === "allow" && project !== null && !trusted)
      candidates.skip("rules", from, what, phrase`an untrusted folder cannot add allow rules.`)
    else for (const rule of rules) candidates.add("rules", from, `${list} ${rule}`, { op: "rule", list, rule })
  }
}

interface Call {
  readonly at: number
  readonly body: string
}

/** The text between the parentheses of each call; strings and comments are skipped. */
function callsOf(text: string): readonly Call[] {
  const calls: Call[] = []
  for (const match of text.matchAll(/^[ \t]*prefix_rule\s*\(/gm)) {
    const start = match.index + match[0].length
    let depth = 1
    let body = ""
    for (const [part] of text.slice(start).matchAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|[^]/g)) {
      if (part === "(") depth++
      if (part === ")" && --depth === 0) break
      if (!part.startsWith("#")) body += part
    }
    if (depth === 0) calls.push({ at: match.index, body })
  }
  return calls
}

/** The words in order, each with its alternatives; null for any other form. */
function patternOf(body: string): readonly (readonly string[])[] | null {
  const list = /\bpattern\s*=\s*(\[(?:[^[\]]|\[[^[\]]*\])*\])/.exec(body)?.[1]
  if (list === undefined) return null
  const value = parseJson(list.replaceAll(/'([^'"\\]*)'/g, '"$1"').replaceAll(/,\s*\]/g, "]"))
  if (!Array.isArray(value) || value.length === 0) return null
  const words = value.map((one: unknown) => (Array.isArray(one) ? one : [one]))
  return words.every((one) => one.length > 0 && one.every((word) => typeof word === "string")) ? words : null
}

const maxRules = 50

function rulesOf(pattern: readonly (readonly string[])[]): readonly string[] | null {
  let lines: readonly string[] = [""]
  for (const words of pattern) {
    // A star, quote or blank in a word has another meaning in Gong's rules.
    if (!words.every((word) => /^[^\s*()"'\\$`;&|<>]+$/.test(word))) return null
    lines = lines.flatMap((line) => words.map((word) => (line === "" ? word : `${line} ${word}`)))
    if (lines.length > maxRules) return null
  }
  const rules = lines.map((line) => `bash(${line} *)`)
  return rules.every((rule) => parseRule(rule).ok) ? rules : null
}
