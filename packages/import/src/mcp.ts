import { phrase, type Phrase } from "@gong/spec"
import { recognizeKey } from "@gong/llm"
import { type Candidates, type JsonObject, recordOf, shown, textsOf } from "./candidate.ts"
import type { Translate } from "@gong/texts/translator"
import { isSecretName } from "@gong/config/mcp/secrets"

/**
 * Servers in the common form, `{NAME: {command, args, env} | {type, url, headers}}`. Apparent keys are not copied but
 * replaced by a reference to a variable of that name. `locationOf`: the location of a server by name.
 */
export async function importServers(
  t: Translate,
  candidates: Candidates,
  servers: unknown,
  locationOf: (name: string) => Promise<string>,
): Promise<void> {
  for (const [name, value] of Object.entries(recordOf(servers) ?? {})) {
    const given = recordOf(value)
    const server = given && withPlainVariables(given)
    const from = await locationOf(name)
    const problem = server === null ? phrase`it is not an object.` : problemOf(server)
    if (server === null || problem !== null) {
      candidates.skip("mcp", from, name, problem ?? phrase`it is not an object.`)
      continue
    }
    const secrets: string[] = []
    const converted: Record<string, unknown> = { ...server }
    for (const field of ["env", "headers"]) {
      const texts = recordOf(server[field])
      if (texts !== null) converted[field] = withoutKeys(name, texts, secrets)
    }
    const note = secrets.length === 0 ? null : t`not copied: ${secrets.join(", ")} (export them)`
    candidates.add("mcp", from, name, { op: "server", name, server: converted }, note)
  }
}

/** `${env:NAME}` of editors is `${NAME}`. */
function withPlainVariables(server: JsonObject): JsonObject {
  const plain = (value: unknown): unknown => {
    if (typeof value === "string") return value.replaceAll("${env:", "${")
    if (Array.isArray(value)) return value.map(plain)
    const fields = recordOf(value)
    return fields === null ? value : Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, plain(one)]))
  }
  return Object.fromEntries(Object.entries(server).map(([key, value]) => [key, plain(value)]))
}

function problemOf(server: JsonObject): Phrase | null {
  const { command, url, args = [] } = server
  if (typeof command !== "string" && typeof url !== "string") return phrase`it has neither a command nor a url.`
  if (JSON.stringify(server).includes("${input:")) return phrase`it asks for a value at its start, which Gong does not.`
  const words = [command, url, ...textsOf(args)].filter((word): word is string => typeof word === "string")
  return words.some(containsKey)
    ? phrase`its command line seems to contain a key. Put the key into a variable first.`
    : null
}

/** Adds the names of referenced variables to `secrets`. */
function withoutKeys(server: string, texts: JsonObject, secrets: string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(texts).map(([name, value]) => {
      const text = typeof value === "string" ? value : shown(value)
      if (/^(Bearer )?\$\{?\w/.test(text) || text === "") return [name, text]
      if (!isSecretName(name) && !containsKey(text)) return [name, text]
      const variable = /^[A-Za-z_]\w*$/.test(name) && !/^authorization$/i.test(name) ? name : variableOf(server, name)
      secrets.push(variable)
      return [name, text.startsWith("Bearer ") ? `Bearer \${${variable}}` : `\${${variable}}`]
    }),
  )
}

/** A key recognized by its format, in a word or after `name=`. */
function containsKey(text: string): boolean {
  if (/(?:key|token|secret|password)=[^$\s]{8}/i.test(text)) return true
  return text
    .split(/[\s=:@/]+/)
    .some((word) => word.length >= 16 && (recognizeKey(word) !== undefined || tokenFormats.test(word)))
}

/** Tokens of common services beside model providers. */
const tokenFormats = /^(?:gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA|sk_live_|npm_)/

function variableOf(server: string, name: string): string {
  return `${server}_${name}`.toUpperCase().replaceAll(/\W/g, "_")
}
