import { rmSync } from "node:fs"
import { join } from "node:path"
import { failureOf, isRecord, messageOf, phrase } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import { checkServer, mcpFile, noServers } from "@gong/config/mcp/read"
import { editFile } from "@gong/config/settings/edit-file"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import { printable } from "@gong/texts/printable"
import { table } from "@gong/texts/table"
import type { Translate } from "@gong/texts/translator"
import { readConfig } from "../compose/config.ts"
import { keyNames, keySources } from "../compose/keys/keys.ts"
import type { McpOptions, McpRow, SessionMcp } from "../compose/mcp/parts.ts"
import { hasServers } from "../compose/mcp/session-mcp.ts"
import { commandHost } from "../compose/sandbox/command-host.ts"
import type { Services } from "../services.ts"
import { changeTexts, rowTexts, stateText } from "./mcp-texts.ts"

export interface McpCommandSpec extends SessionSpec {
  readonly json?: boolean
}

/** `gong mcp [list]`, `add NAME TARGET...`, `remove|test|login|logout|trust NAME`. */
export function mcp(
  services: Services,
  spec: McpCommandSpec,
  [verb = "list", name = "", ...words]: readonly string[],
  readLine: McpOptions["readLine"] | null = null,
): Promise<Outcome<string>> {
  return attempt(async () => {
    switch (verb) {
      case "add":
        return add(services, spec, name, words)
      case "remove":
        return remove(services, spec, name)
      case "logout":
        return logout(services, spec, name)
      case "test":
        return using(services, spec, null, async (servers) => testText(services.t, servers, name))
      case "login":
        return using(services, spec, readLine, async (servers) => {
          await started(servers.login(name, new AbortController().signal))
          return `${services.t`Logged in at ${name}.`}\n${await testText(services.t, servers, name)}`
        })
      case "trust":
        return using(services, spec, null, async (servers) => trust(services.t, servers, name))
      default:
        return using(services, spec, null, async (servers) => listText(services.t, servers.rows(), spec.json === true))
    }
  })
}

/** Opens the servers of the configuration without a session, and ends them. */
async function using(
  services: Services,
  spec: SessionSpec,
  readLine: McpOptions["readLine"] | null,
  work: (servers: SessionMcp) => Promise<string>,
): Promise<string> {
  const config = must(await readConfig(services, spec))
  const context = { services, spec, config, persistent: false, interactive: true }
  const { none } = await import("../compose/mcp/parts.ts")
  if (!hasServers(context)) return work(none)
  const { loadMcp } = await import("../compose/mcp/load-mcp.ts")
  const { sandbox } = await commandHost(context)
  const sources = keySources(context)
  const tell = (line: Parameters<Translate["text"]>[0]): void => services.warn(`gong: ${services.t.text(line)}`)
  const servers = await loadMcp({
    ...context,
    sandbox,
    keyNames: keyNames(sources, spec),
    keys: [],
    redact: () => undefined,
    tell,
    ...(readLine && { readLine }),
  })
  for (const line of servers.lines) services.warn(services.t.text(line))
  try {
    return await work(servers)
  } finally {
    await servers.end()
  }
}

async function started(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    must(usage(phrase`${messageOf(failureOf(error))}`))
  }
}

function rowOf(servers: SessionMcp, name: string): McpRow {
  const row = servers.rows().find((one) => one.name === name)
  return (
    row ??
    must(
      usage(phrase`there is no MCP server ${name}. Those of a repository exist once its folder is trusted: gong trust`),
    )
  )
}

async function testText(t: Translate, servers: SessionMcp, name: string): Promise<string> {
  try {
    await servers.start(name, new AbortController().signal)
  } catch (error) {
    const text = messageOf(failureOf(error))
    const output = servers.rows().some((row) => row.name === name) ? printable(servers.output(name)).trimEnd() : ""
    must(output === "" ? usage(phrase`${text}`) : usage(phrase`${text}`, phrase`Its output:`, ...output.split("\n")))
  }
  const row = rowOf(servers, name)
  const output = printable(servers.output(name)).trimEnd()
  const lines = [...rowTexts(t, row), ...(output === "" ? [] : [t`Its output:`, ...output.split("\n")])]
  return `${lines.join("\n")}\n`
}

async function trust(t: Translate, servers: SessionMcp, name: string): Promise<string> {
  await started(servers.start(name, new AbortController().signal))
  const { changes } = rowOf(servers, name)
  if (changes.length === 0) return t`${name} has the tools that you accepted.\n`
  const lines = changeTexts(changes)
  servers.accept(name)
  return `${lines.join("\n")}\n${t`Accepted: ${name} may be used with these tools.`}\n`
}

function listText(t: Translate, rows: readonly McpRow[], json: boolean): string {
  if (json) return `${JSON.stringify({ servers: rows })}\n`
  if (rows.length === 0) return t`No MCP servers. Add one: gong mcp add NAME -- COMMAND, or gong mcp add NAME URL\n`
  const cells = rows.map((row) => [row.name, t(row.level), stateText(t, row), row.target].map((text) => ({ text })))
  return `${table(cells).join("\n")}\n`
}

/** `gong mcp add NAME URL ["Header: value"...]`, `gong mcp add NAME [VARIABLE=value...] COMMAND [ARGUMENT...]`. */
async function add(services: Services, spec: SessionSpec, name: string, words: readonly string[]): Promise<string> {
  const { t } = services
  const { home } = must(await readConfig(services, spec))
  // `python3 -m NAME` without dashes before it names a model.
  const taken = Object.keys(spec).find((option) => !["json", "cwd", "trust", "set"].includes(option))
  if (taken !== undefined)
    must(usage(phrase`${taken} is an option of Gong. Write -- before the program: gong mcp add NAME -- COMMAND`))
  const wrong = /^https?:\/\//.test(words[0] ?? "") ? words.slice(1).find((word) => !/^[\w-]+:/.test(word)) : undefined
  if (wrong !== undefined) must(usage(phrase`${wrong} is not a header: gong mcp add NAME URL "Name: value"`))
  const entry = entryOf(words)
  const checked = await checkServer(name, structuredClone(entry), "user", services.env)
  if (!checked.ok) must(usage(phrase`${name}: ${checked.problem}`))
  const path = join(home, mcpFile)
  let found = "missing" as FoundEntry
  must(
    await editFile(home, mcpFile, (now) => {
      found = entryIn(now, name)
      return found === "missing" ? [[["mcpServers", name], entry]] : []
    }),
  )
  if (found === "unreadable") must(usage(noServers(path)))
  if (found === "exists") must(usage(phrase`there is an MCP server ${name} already: gong mcp remove ${name}`))
  const stored = t`${name} is stored in ${path}.\n`
  const tested = await attempt(() => using(services, spec, null, async (servers) => testText(t, servers, name)))
  return tested.ok ? stored + tested.value : `${stored}${tested.error.texts.map(t.text).join("\n")}\n`
}

type FoundEntry = "exists" | "missing" | "unreadable"

function entryIn(file: unknown, name: string): FoundEntry {
  const servers = isRecord(file) ? (file["mcpServers"] ?? {}) : null
  if (!isRecord(servers)) return "unreadable"
  return Object.hasOwn(servers, name) ? "exists" : "missing"
}

function entryOf([first = "", ...rest]: readonly string[]): Readonly<Record<string, unknown>> {
  if (/^https?:\/\//.test(first)) {
    const headers = rest.map((word) => [
      word.slice(0, word.indexOf(":")).trim(),
      word.slice(word.indexOf(":") + 1).trim(),
    ])
    return { type: "http", url: first, ...(headers.length > 0 && { headers: Object.fromEntries(headers) }) }
  }
  const words = [first, ...rest]
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  const variables = words
    .slice(0, Math.max(0, at))
    .map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)])
  const [command, ...args] = at < 0 ? [] : words.slice(at)
  return { command, args, ...(variables.length > 0 && { env: Object.fromEntries(variables) }) }
}

async function remove(services: Services, spec: SessionSpec, name: string): Promise<string> {
  const { home } = must(await readConfig(services, spec))
  let exists = false
  must(
    await editFile(home, mcpFile, (now) => {
      exists = entryIn(now, name) === "exists"
      return exists ? [[["mcpServers", name], undefined]] : []
    }),
  )
  if (!exists) must(usage(phrase`there is no MCP server ${name} in ${join(home, mcpFile)}.`))
  const { recordNames } = await import("../compose/mcp/records.ts")
  for (const file of recordNames(home, name)) rmSync(file, { force: true })
  return services.t`${name} is removed.\n`
}

async function logout(services: Services, spec: SessionSpec, name: string): Promise<string> {
  const { config, servers } = await configured(services, spec)
  const server = servers.find((one) => one.name === name)
  if (server?.entry.url === undefined) return must(usage(phrase`there is no MCP server ${name} with an address.`))
  const { loginStore } = await import("../compose/mcp/login-store.ts")
  await loginStore({ services, spec, config }, server).update(() => Promise.resolve(null))
  return services.t`Logged out at ${name}.\n`
}

async function configured(services: Services, spec: SessionSpec) {
  const config = must(await readConfig(services, spec))
  const { readServers } = await import("@gong/config/mcp/read")
  const { servers } = await readServers(config.home, config.trusted, services.env)
  return { config, servers }
}
