import { type InEnglish, inEnglish } from "@gong/testing/in-english"
import { builtInDeclarations } from "@gong/tools"
import { type Decision, englishOf, type PolicyCall } from "@gong/spec"
import type { PolicyFacts } from "../src/decision.ts"
import { absolute } from "../src/paths.ts"
import { createPolicy } from "../src/policy.ts"
import { parseRule, type Rule } from "../src/rules.ts"

/** A workspace in a home folder, none of which exists. `links`: symbolic links with their targets. */
export function facts(more: Partial<PolicyFacts> = {}, links: Readonly<Record<string, string>> = {}): PolicyFacts {
  const home = "/home/u"
  const cwd = more.cwd ?? "/home/u/shop"
  return {
    level: "auto",
    cwd,
    workspace: "/home/u/shop",
    roots: ["/home/u/shop", "/tmp"],
    home,
    env: { HOME: home, USER: "u", PATH: "/usr/bin", TMPDIR: "/tmp" },
    gongHome: "/home/u/.gong",
    declared: builtInDeclarations,
    interactive: false,
    sandbox: "off",
    allow: [],
    deny: [],
    reads: "anywhere",
    locate: async (typed) => {
      const path = absolute(typed, cwd, home)
      const link = Object.keys(links).find((one) => path === one || path.startsWith(`${one}/`))
      return { path, real: link === undefined ? path : `${links[link]}${path.slice(link.length)}` }
    },
    exists: async (path) => !path.endsWith("/.gitmodules"),
    hasEscapingLinks: async (folder) => Object.keys(links).some((path) => path.startsWith(`${folder}/`)),
    queryGit: safeRepository,
    knownHosts: async () => [],
    findProgram: async (name) => `/usr/bin/${name}`,
    rulesFile: "/home/u/.gong/permissions.json",
    storeRule: async () => undefined,
    ...more,
  }
}

/** Git in a repository with the settings from the given variables. */
const safeRepository: PolicyFacts["queryGit"] = async (_folder, [verb], env) => {
  const top = "/home/u/shop"
  const keys = Object.keys(env).filter((name) => name.startsWith("GIT_CONFIG_KEY_"))
  const pairs = keys.map((name) => `${env[name]}\n${env[name.replace("KEY", "VALUE")]}`)
  const config = pairs.map((pair) => `command\0command line:\0${pair}\0`).join("")
  const printed = { "rev-parse": `${top}/.git\n${top}/.git\n${top}\n`, config }[verb ?? ""]
  return { code: 0, stdout: printed ?? "" }
}

export function rules(...texts: readonly string[]): readonly Rule[] {
  return texts.map((text) => {
    const read = parseRule(text)
    if (!read.ok) throw new Error(englishOf(read.problem))
    return read.rule
  })
}

export function bash(command: string): PolicyCall {
  return { tool: "bash", arguments: { command }, title: command }
}

export function file(tool: string, path: string): PolicyCall {
  return { tool, arguments: { path }, title: path }
}

export async function decide(call: PolicyCall, given: PolicyFacts): Promise<InEnglish<Decision>> {
  return inEnglish(await createPolicy(given).decide(call))
}

export async function verdict(call: PolicyCall, given: PolicyFacts): Promise<Decision["verdict"]> {
  return (await decide(call, given)).verdict
}
