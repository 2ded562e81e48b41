import { phrase, type Text } from "@gong/spec"
import { parseRule } from "./rules.ts"

/** The conversion of one rule of Claude Code: one or more rules, or the reason why there is none. */
export type ConvertedRule =
  | { readonly ok: true; readonly rules: readonly string[]; readonly note: Text | null }
  | { readonly ok: false; readonly reason: Text }

const readers: Readonly<Record<string, string>> = { Read: "read", Grep: "grep", Glob: "find", LS: "ls" }
const writers = ["Edit", "MultiEdit", "Write"]

/** `settingsFolder`: the base of paths with one leading slash, without a trailing slash. */
export function convertClaudeRule(text: string, list: "allow" | "deny", settingsFolder: string): ConvertedRule {
  const [, tool = "", inner] = /^\s*([A-Za-z][\w.*-]*)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? []
  if (tool === "") return skipped(phrase`it is not a rule.`)
  if (tool === "Bash") return commandRule(inner?.trim() ?? "", list)
  const reader = Object.hasOwn(readers, tool) ? readers[tool] : undefined
  if (reader !== undefined) return pathRules([reader], inner, list, settingsFolder)
  // Claude Code's rule for Edit covers all tools that change files. Deny rules convert likewise; allow rules are per
  // tool.
  if (writers.includes(tool))
    return pathRules(list === "deny" ? ["edit"] : ["edit", "write"], inner, list, settingsFolder)
  if (tool === "WebFetch") return hostRule(inner)
  if (tool.startsWith("mcp__")) return serverRules(tool)
  return skipped(phrase`Gong has no tool ${tool}.`)
}

/** `mcp__github` and `mcp__github__*` are all tools of a server, `mcp__github__get_issue` is one. */
function serverRules(tool: string): ConvertedRule {
  const [, server = "", name = "*"] = /^mcp__([\w-]+?)(?:__([\w.*-]+))?$/.exec(tool) ?? []
  return server === "" ? skipped(phrase`it is not a rule.`) : rules(`mcp(${server}__${name})`)
}

function commandRule(inner: string, list: "allow" | "deny"): ConvertedRule {
  if (inner === "" || /^:?\*$/.test(inner)) return rules("bash")
  // Gong parses commands before it applies rules, so a rule with several commands or with quotes would never match.
  if (/[;&|<>`$()"'\\]/.test(inner))
    return skipped(phrase`Gong checks each command of a line separately; write a rule for each, without quotes.`)
  const rule = `bash(${inner.replace(/:\*$/, " *")})`
  const read = parseRule(rule)
  if (!read.ok) return skipped(read.problem)
  // In Claude Code a star spans words; in Gong's allow rules it does so only at the end.
  const narrower = list === "allow" && /\*(?=.)/.test(inner.replace(/:\*$/, ""))
  return { ok: true, rules: [rule], note: narrower ? phrase`a * before the end matches only a part of a word` : null }
}

function pathRules(
  tools: readonly string[],
  inner: string | undefined,
  list: "allow" | "deny",
  settingsFolder: string,
): ConvertedRule {
  const path = inner?.trim() ?? ""
  // Without a path Claude Code means its working folders in allow rules, and everything in deny rules.
  const patterns = path === "" ? [list === "allow" ? "**" : null] : pathsOf(path, list, settingsFolder)
  return rules(...patterns.flatMap((one) => tools.map((tool) => (one === null ? tool : `${tool}(${one})`))))
}

/** The syntax of ignore files: a name without a slash matches at any depth, and a folder includes everything below. */
function pathsOf(path: string, list: "allow" | "deny", settingsFolder: string): readonly string[] {
  const whole = placed(path, settingsFolder)
  if (whole.endsWith("/")) return [`${whole}**`]
  const last = whole.slice(whole.lastIndexOf("/") + 1)
  return list === "deny" && !last.includes("*") ? [whole, `${whole}/**`] : [whole]
}

function placed(path: string, settingsFolder: string): string {
  if (path.startsWith("//")) return path.slice(1)
  if (path.startsWith("/")) return `${settingsFolder}${path}`.replace(/^\//, settingsFolder === "" ? "" : "/")
  if (path.startsWith("~/")) return path
  if (path.startsWith("./")) return path.slice(2)
  return path.slice(0, -1).includes("/") || path.startsWith("**") ? path : `**/${path}`
}

function hostRule(inner: string | undefined): ConvertedRule {
  if (inner === undefined || inner.trim() === "") return rules("fetch")
  const host = /^domain:([\w.*-]+)$/.exec(inner.trim())?.[1]
  return host === undefined ? skipped(phrase`only domain:HOST can be a fetch rule.`) : rules(`fetch(${host})`)
}

function rules(...all: readonly string[]): ConvertedRule {
  return { ok: true, rules: all, note: null }
}

function skipped(reason: Text): ConvertedRule {
  return { ok: false, reason }
}
