import { pathToFileURL } from "node:url"
import type { Host, Phrase } from "@gong/spec"
import type { McpServerConfig } from "@gong/config/mcp/read"
import { createServer, type McpServer } from "@gong/mcp"
import { systemClock } from "../../ports.ts"
import type { Services } from "../../services.ts"
import { commandHost } from "../sandbox/command-host.ts"
import { endpointOf, networkOf } from "./endpoint.ts"
import { loginFlow, type LoginMember } from "./login-flow.ts"
import { configurationOf, recordFile } from "./records.ts"
import type { McpOptions } from "./parts.ts"
import { createStderrLog, type StderrLog } from "./stderr-log.ts"

/** What one session receives of a shared server. */
export interface PoolMember extends LoginMember {
  readonly roots: readonly string[]
  onChanged(line: Phrase | null): void
}

export interface PooledServer {
  readonly server: McpServer
  readonly log: StderrLog
  /** The last session that leaves ends the server. */
  leave(): Promise<void>
}

/** A configured server in one session. */
export interface Member {
  readonly config: McpServerConfig
  readonly pooled: PooledServer
  on: boolean
}

interface Pooled {
  readonly server: McpServer
  readonly log: StderrLog
  readonly members: Set<PoolMember>
  end(): Promise<void>
}

/** The servers of each process: sessions with the same configuration, folder and sandbox share one. */
const pools = new WeakMap<Services, Map<string, Pooled>>()

export function joinServer(options: McpOptions, config: McpServerConfig, member: PoolMember): PooledServer {
  const { services } = options
  const pool = pools.get(services) ?? new Map<string, Pooled>()
  pools.set(services, pool)
  const key = keyOf(options, config)
  const pooled = pool.get(key) ?? start(options, config)
  pool.set(key, pooled)
  pooled.members.add(member)
  return {
    server: pooled.server,
    log: pooled.log,
    async leave() {
      pooled.members.delete(member)
      if (pooled.members.size > 0) return
      pool.delete(key)
      await pooled.end()
    },
  }
}

/** Servers with the same key are one process. */
function keyOf(options: McpOptions, server: McpServerConfig): string {
  const { spec, config, sandbox } = options
  const place = server.entry.url === undefined ? [config.workspace.roots, sandbox.mode, sandbox.network, spec.env] : []
  return JSON.stringify([server.name, ...configurationOf(options, server), ...place])
}

/** Milliseconds of one call by default. */
const callTime = 600_000

function start(options: McpOptions, config: McpServerConfig): Pooled {
  const { services } = options
  const members: Pooled["members"] = new Set()
  const log = createStderrLog()
  const address = config.entry.url === undefined ? null : new URL(config.entry.url)
  let network: ReturnType<typeof networkOf> | null = null
  let host: Promise<Host> | null = null
  const openNetwork = () => (network ??= networkOf(options, address))
  const own = config.level === "user" ? withVariables(options, Object.keys(config.entry.env ?? {})) : options
  const openHost = () => (host ??= sandboxed(own))
  const flow = address === null ? null : loginFlow({ options, config, address, network: openNetwork, members })
  const server = createServer({
    name: config.name,
    version: services.version,
    clock: systemClock,
    record: recordFile(options, config),
    endpoint: () =>
      endpointOf({ options, server: config, host: openHost, log, network: openNetwork(), logins: flow?.store ?? null }),
    roots: () => [...new Set([...members].flatMap(({ roots }) => roots))].map((root) => pathToFileURL(root).href),
    login: flow && ((challenge, signal) => flow.login(challenge, signal)),
    callTime: config.entry.timeout === undefined ? callTime : config.entry.timeout * 1_000,
    log: log.line,
    onChanged: (line) => {
      for (const member of members) member.onChanged(line)
    },
  })
  return {
    server,
    log,
    members,
    async end() {
      await server.end()
      network?.close()
      await (await host)?.endJobs()
    },
  }
}

/** A host of its own, since the commands of a host end with its session. Connections that need permission are refused. */
async function sandboxed(options: McpOptions) {
  const { host, networkPorts } = await commandHost(options)
  const policy = { decide: async () => refused, hostPorts: async () => [] }
  networkPorts.attach({ policy, session: { permit: null } })
  return host()
}

const refused = { verdict: "deny", reason: "permission", toModel: "Servers have no network of their own." } as const

/** The variables of the user's configuration pass the sandbox. */
function withVariables(options: McpOptions, names: readonly string[]): McpOptions {
  return { ...options, spec: { ...options.spec, env: [...(options.spec.env ?? []), ...names] } }
}
