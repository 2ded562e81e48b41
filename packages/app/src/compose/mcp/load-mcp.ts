import {
  failure,
  FailureError,
  failureOf,
  phrase,
  type Phrase,
  type Tool,
  textNotification,
  type ToolContext,
} from "@gong/spec"
import type { ToolSource } from "@gong/tools"
import { type McpServerConfig, readServers } from "@gong/config/mcp/read"
import { type CallContext, resultOf } from "@gong/mcp"
import { joinServer, type PooledServer } from "./pool.ts"
import { directBytes, mcpTool } from "./mcp-tool.ts"
import { promptCommands, promptHook } from "./prompts.ts"
import { resourceTool } from "./resource-tool.ts"
import { type OfferedTool, serverTool } from "./server-tools.ts"
import { type AttachedSession, type McpOptions, type McpRow, none, type SessionMcp } from "./parts.ts"
import { openInBrowser } from "./browser.ts"

/** A configured server in one session. */
export interface Member {
  readonly config: McpServerConfig
  readonly pooled: PooledServer
  on: boolean
}

/** The configured servers of a session. None is started: their tools are those that the user accepted earlier. */
export async function loadMcp(options: McpOptions): Promise<SessionMcp> {
  const { services, config, interactive } = options
  const { servers, lines } = await readServers(config.home, config.trusted, services.env)
  let attached: AttachedSession | null = null
  const source: { -readonly [K in keyof ToolSource]: ToolSource[K] } = { ...none.source }
  const session = Symbol("session")
  const notify = (text: Phrase): void => {
    attached?.session.notify(textNotification("mcp", "warn", text))
  }
  const renew = (): void => {
    source.tools = toolsOf(members, deps)
    attached?.renewed()
  }
  const members = servers
    .filter(({ disabled }) => !disabled)
    .map((one): Member => {
      const pooled = joinServer(options, one, {
        roots: config.workspace.roots,
        onChanged(line) {
          if (line !== null) notify(line)
          renew()
        },
        showAddress: async (address) => {
          notify(phrase`Log in at ${one.name}: ${address.href}`)
          if (interactive) await openInBrowser(services, address)
        },
      })
      return { config: one, pooled, on: true }
    })
  const context = (signal: AbortSignal): CallContext => {
    const ask = attached?.session.ask
    return { signal, session, onProgress: () => undefined, ...(ask && { ask: (asked) => ask(asked, signal) }) }
  }
  const deps: OfferDeps = {
    session,
    imageMaxBytes: config.settings.values["images.maxSize"],
    start: async (member, from) =>
      startMember(member, { ...context(from.signal), ...(from.dialog && { ask: from.dialog }) }),
  }
  source.tools = toolsOf(members, deps)
  const memberOf = (name: string): Member => {
    const found = members.find(({ config: own }) => own.name === name)
    if (found === undefined) throw new FailureError(failure("bad-request", phrase`there is no MCP server ${name}.`))
    return found
  }
  return {
    source,
    declared: (name) => source.tools.find((tool) => tool.name === name) ?? null,
    commands: () => promptCommands(members, context),
    hooks: servers.length === 0 ? [] : [promptHook(() => promptCommands(members, context))],
    lines,
    rows: () => [...members.map(rowOf), ...servers.filter(({ disabled }) => disabled).map(offRow)],
    async start(name, signal) {
      const member = memberOf(name)
      member.pooled.server.reset()
      await member.pooled.server.start(context(signal))
      renew()
    },
    accept(name) {
      memberOf(name).pooled.server.accept()
      renew()
    },
    turn(name, on) {
      memberOf(name).on = on
      if (on) memberOf(name).pooled.server.reset()
      renew()
    },
    async login(name, signal) {
      await memberOf(name).pooled.server.login(context(signal))
      renew()
    },
    async resource(name, uri, signal) {
      const member = members.find(({ config: own, on }) => on && own.name === name)
      if (member === undefined) return null
      const { parts } = resultOf(await member.pooled.server.resource(uri, context(signal)))
      return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n")
    },
    attach(to) {
      attached = to
      // A process for one prompt ends with it.
      if (interactive)
        listAfterFirstRun(
          to,
          () => members.filter((member) => member.on && member.pooled.server.tools() === null),
          context,
        )
    },
    async end() {
      await Promise.all(members.map(async ({ pooled }) => pooled.leave()))
    },
  }
}

interface OfferDeps {
  readonly session: unknown
  readonly imageMaxBytes: number
  start(member: Member, context: ToolContext): Promise<string | null>
}

/** All as tools of their own while their definitions are small, else the one tool that finds and calls them. */
function toolsOf(members: readonly Member[], deps: OfferDeps): readonly Tool[] {
  const active = members.filter(({ on }) => on)
  const offered = offeredBy(members)
  const bytes = offered.reduce(
    (sum, { tool }) => sum + JSON.stringify([tool.exposed, tool.description, tool.schema]).length,
    0,
  )
  const isDirect = bytes <= directBytes && offered.every(({ tool }) => isPlain(tool.schema))
  const unlisted = active.filter(({ pooled }) => pooled.server.tools() === null)
  const described = isDirect ? [] : offered
  const withResources = active.map(({ pooled }) => pooled.server).filter(({ hasResources }) => hasResources)
  const finder = mcpTool({
    ...deps,
    tools: () => offeredBy(members),
    described,
    unlisted: unlisted.map(({ config }) => config.name),
    // Their tools stay behind this one until the next session: another list of tools would cost the provider's cache.
    list: async (context) => {
      const now = unlisted.filter(({ on, pooled }) => on && pooled.server.tools() === null)
      const failures = await Promise.all(now.map((member) => deps.start(member, context)))
      return failures.filter((line) => line !== null)
    },
  })
  return [
    ...(isDirect ? offered.map((one) => serverTool(one, deps)) : []),
    ...(described.length > 0 || unlisted.length > 0 ? [finder] : []),
    ...(withResources.length > 0 ? [resourceTool(() => withResources, deps)] : []),
  ]
}

/** The tools that may be called now. */
function offeredBy(members: readonly Member[]): readonly OfferedTool[] {
  return members.flatMap(({ config, pooled: { server }, on }) =>
    on ? (server.tools() ?? []).map((tool) => ({ server, tool, local: config.entry.url === undefined })) : [],
  )
}

/** Providers refuse some schemas, and with them the whole request. */
function isPlain(schema: Readonly<Record<string, unknown>>): boolean {
  return !["anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"].some((keyword) => Object.hasOwn(schema, keyword))
}

/** Null, or one line about the failure. */
async function startMember({ config, pooled }: Member, context: CallContext): Promise<string | null> {
  try {
    await pooled.server.start(context)
    return null
  } catch (error) {
    return `${config.name} is not available: ${failureOf(error).message}`
  }
}

/** In the background after the first answer, so that the next session knows their tools from its start. */
function listAfterFirstRun(
  { session }: AttachedSession,
  unlisted: () => readonly Member[],
  context: (signal: AbortSignal) => CallContext,
): void {
  if (unlisted().length === 0) return
  const stop = session.subscribe((step) => {
    if (!("entries" in step) || !step.entries.some(({ type }) => type === "run_end")) return
    stop()
    // Nobody is asked anything for a start that nobody has requested.
    const { ask: _, ...quiet } = context(new AbortController().signal)
    void Promise.all(unlisted().map((member) => startMember(member, quiet)))
  })
}

function rowOf({ config, pooled: { server }, on }: Member): McpRow {
  return {
    ...offRow(config),
    state: on ? server.state() : { kind: "off" },
    tools: server.tools()?.map(({ exposed }) => exposed) ?? null,
    prompts: server.prompts().map(({ name }) => name),
    resources: server.hasResources,
    changes: server.changes(),
    problems: server.problems(),
  }
}

function offRow({ name, level, place, entry }: McpServerConfig): McpRow {
  const target = entry.url ?? [entry.command, ...(entry.args ?? [])].join(" ")
  const nothing = { tools: null, prompts: [], resources: false, changes: [], problems: [] }
  return { name, level, place, target, state: { kind: "off" }, ...nothing }
}
