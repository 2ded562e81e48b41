import { join } from "node:path"
import { checkArguments, isRecord, ownFolder, phrase, type Text, type Trusted } from "@gong/spec"
import { locationOf, parseLenient, readText, trustedText } from "../settings/read.ts"
import type { Outcome } from "../usage.ts"
import { type ServerEntry, serverSchema } from "./schema.ts"

/** A configured MCP server. */
export interface McpServerConfig {
  readonly name: string
  /** Whose file names it. */
  readonly level: "user" | "project"
  /** The file. */
  readonly place: string
  readonly entry: ServerEntry
  /** The entry as it is written, as JSON; variables are not replaced in it. */
  readonly written: string
  readonly disabled: boolean
}

export interface McpConfig {
  readonly servers: readonly McpServerConfig[]
  /** Complete lines for the user about what is wrong, each with its place. */
  readonly lines: readonly Text[]
}

export const mcpFile = "mcp.json"

/** The files of a folder, in order of precedence. */
const projectFiles = [`${ownFolder}/${mcpFile}`, `.${mcpFile}`] as const

/** Of all files together. */
const maxServers = 128

interface Source {
  readonly level: McpServerConfig["level"]
  readonly path: string
  readonly text: string
}

/** The servers of the user's `mcp.json`, then those of a trusted folder. Of equal names the first is used. */
export async function readServers(
  home: string,
  trusted: Trusted | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<McpConfig> {
  const lines: Text[] = []
  const sources: Source[] = []
  const add = (level: Source["level"], path: string, text: Outcome<string | null>): void => {
    if (!text.ok) lines.push(...text.error.texts)
    else if (text.value !== null) sources.push({ level, path, text: text.value })
  }
  const own = readText(join(home, mcpFile))
  add("user", join(home, mcpFile), own)
  // Without the user's names those of a repository could be taken for them.
  for (const path of own.ok ? projectFiles : [])
    if (trusted?.files.has(path) === true) add("project", join(trusted.root, path), await trustedText(trusted, path))
  const servers = new Map<string, McpServerConfig>()
  /** The files of all names in lower case, also of entries that are left out: a rule is for the first of its name. */
  const places = new Map<string, string>()
  for (const source of sources) {
    const found = await serversIn(source, env)
    lines.push(...found.lines)
    if (found.names === null && source.level === "user") break
    for (const server of found.servers) {
      const first = places.get(server.name.toLowerCase())
      if (first !== undefined)
        lines.push(phrase`gong: ${server.place}: the MCP server "${server.name}" is left out: ${first} has this name.`)
      else if (servers.size === maxServers)
        lines.push(
          phrase`gong: ${server.place}: the MCP server "${server.name}" is left out: more than ${maxServers} servers.`,
        )
      else servers.set(server.name, server)
    }
    for (const name of found.names ?? [])
      if (!places.has(name.toLowerCase())) places.set(name.toLowerCase(), source.path)
  }
  return { servers: [...servers.values()], lines }
}

interface Listed extends McpConfig {
  /** Of all entries; null: the file is unreadable. */
  readonly names: readonly string[] | null
}

async function serversIn(source: Source, env: Readonly<Record<string, string | undefined>>): Promise<Listed> {
  const parsed = await parseLenient(source.text, source.path)
  if (!parsed.ok) return { servers: [], names: null, lines: parsed.error.texts }
  const listed = isRecord(parsed.value) ? (parsed.value["mcpServers"] ?? {}) : null
  if (!isRecord(listed)) {
    return { servers: [], names: null, lines: [phrase`gong: ${noServers(source.path)}`] }
  }
  const servers: McpServerConfig[] = []
  const lines: Text[] = []
  for (const [name, value] of Object.entries(listed)) {
    const checked = await checkServer(name, value, source.level, env)
    if (checked.ok) servers.push({ ...checked.server, level: source.level, place: source.path })
    else {
      const inside = checked.path.map((key) => (/^\d+$/.test(key) ? Number(key) : key))
      const place = await locationOf(source, ["mcpServers", name, ...inside])
      lines.push(phrase`gong: ${place}: the MCP server "${name}" is left out: ${checked.problem}`)
    }
  }
  return { servers, names: Object.keys(listed), lines }
}

/** The error of a file whose servers are not an object. */
export function noServers(path: string): Text {
  return phrase`${path}:1: servers must be in an object, {"mcpServers": {"NAME": {...}}}.`
}

export type CheckedServer =
  | { readonly ok: true; readonly server: Omit<McpServerConfig, "level" | "place"> }
  | { readonly ok: false; readonly path: readonly string[]; readonly problem: Text }

/** The name of a server in a configuration. Two underscores separate it from the name of a tool. */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/.test(name) && name.length <= 32
}

/** Checks one entry; the problem is a sentence fragment. */
export async function checkServer(
  name: string,
  value: unknown,
  level: McpServerConfig["level"],
  env: Readonly<Record<string, string | undefined>>,
): Promise<CheckedServer> {
  const wrong = (problem: Text, path: readonly string[] = []): CheckedServer => ({ ok: false, path, problem })
  if (!isServerName(name)) return wrong(phrase`a name is 1 to 32 of a-z A-Z 0-9 - and single _.`)
  if (!isRecord(value)) return wrong(phrase`it must be an object, {"command": ...} or {"url": ...}.`)
  // The validator takes several milliseconds to load, which a start does not need for an ordinary entry.
  if (!isOrdinary(value)) {
    const checked = await checkArguments(serverSchema, value)
    if (!checked.ok) {
      const [problem] = checked.problems
      const path = (problem?.path ?? "").split("/").slice(1)
      return wrong(phrase`"${path.join(".")}" ${problem?.text ?? ""}.`, path)
    }
  }
  const entry: ServerEntry = { ...value }
  if (entry.command === undefined && entry.url === undefined) return wrong(phrase`it has neither a command nor a url.`)
  if (entry.command !== undefined && entry.url !== undefined) return wrong(phrase`it has both a command and a url.`)
  if (entry.url !== undefined && !URL.canParse(entry.url)) return wrong(phrase`"url" is not an address.`, ["url"])
  if (entry.command !== undefined && /^=|^[a-z][\w+.-]+:/i.test(entry.command))
    return wrong(phrase`"command" is not a program.`, ["command"])
  if (hasNul(entry)) return wrong(phrase`it contains a NUL character.`)
  if (level === "project" && entry.sandbox === false)
    return wrong(phrase`"sandbox" works in the user's file only.`, ["sandbox"])
  const expanded = expand(entry, level, env)
  if (!expanded.ok) return wrong(expanded.problem, [expanded.field])
  const written = JSON.stringify(value)
  return { ok: true, server: { name, entry: expanded.entry, written, disabled: isDisabled(value) } }
}

function hasNul({ command = "", args = [], env = {}, cwd = "" }: ServerEntry): boolean {
  return [command, ...args, ...Object.entries(env).flat(), cwd].some((text) => text.includes("\0"))
}

/** An entry with no more than a command line or an address, a kind, variables and headers. */
function isOrdinary({ type, command, args, env, url, headers, ...rest }: Readonly<Record<string, unknown>>): boolean {
  const isText = (text: unknown): boolean => typeof text === "string" && text !== ""
  const areTexts = (texts: unknown): boolean =>
    texts === undefined || (isRecord(texts) && Object.values(texts).every((text) => typeof text === "string"))
  return (
    (type === undefined || type === "stdio" || type === "http") &&
    (command === undefined || isText(command)) &&
    (args === undefined || (Array.isArray(args) && args.every((arg) => typeof arg === "string"))) &&
    (url === undefined || (typeof url === "string" && /^https?:\/\//.test(url))) &&
    areTexts(env) &&
    areTexts(headers) &&
    Object.entries(rest).every(
      ([name, value]) => (name === "disabled" || name === "sandbox") && typeof value === "boolean",
    )
  )
}

/** Codex and opencode write `enabled`. */
function isDisabled({ disabled, enabled }: Readonly<Record<string, unknown>>): boolean {
  return disabled === true || enabled === false
}

type Expanded =
  | { readonly ok: true; readonly entry: ServerEntry }
  | { readonly ok: false; readonly field: string; readonly problem: Text }

const variable = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME}` and `${NAME:-default}`. Only in the user's file: a repository could otherwise send any variable to a
 * server of its choice.
 */
function expand(
  entry: ServerEntry,
  level: McpServerConfig["level"],
  env: Readonly<Record<string, string | undefined>>,
): Expanded {
  let problem: Text | null = null
  const replaced = (value: unknown): unknown => {
    if (typeof value === "string")
      return value.replaceAll(variable, (whole, name: string, byDefault: string | undefined) => {
        const found = level === "user" ? (env[name] ?? byDefault) : undefined
        if (found !== undefined) return found
        problem ??=
          level === "user"
            ? phrase`the variable ${name} is not set.`
            : phrase`${whole} is replaced in the user's file only (gong mcp add).`
        return whole
      })
    if (Array.isArray(value)) return value.map(replaced)
    return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one)])) : value
  }
  for (const field of ["command", "args", "env", "cwd", "url", "headers", "oauth"] as const) {
    const value = replaced(entry[field])
    if (problem !== null) return { ok: false, field, problem }
    if (value !== undefined) Object.assign(entry, { [field]: value })
  }
  return { ok: true, entry }
}
