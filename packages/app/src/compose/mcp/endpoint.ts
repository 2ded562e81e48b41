import { statSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { failure, FailureError, type Host, type HostStdin, phrase } from "@gong/spec"
import { childEnvironment } from "@gong/tools"
import type { McpServerConfig } from "@gong/config/mcp/read"
import type { Endpoint, LoginStore, ServerNetwork, StartProgram } from "@gong/mcp"
import { publicAddressPolicy, systemAddresses } from "@gong/llm/transport"
import { systemClock } from "../../ports.ts"
import { openTransport, openWeb } from "../network/transport.ts"
import type { McpOptions } from "./parts.ts"
import type { StderrLog } from "./stderr-log.ts"

export interface EndpointDeps {
  readonly options: McpOptions
  readonly server: McpServerConfig
  /** With the sandbox of commands, and of this server alone. */
  host(): Promise<Host>
  readonly log: StderrLog
  readonly network: ServerNetwork
  readonly logins: LoginStore | null
}

/** How a configured server is reached. */
export async function endpointOf(deps: EndpointDeps): Promise<Endpoint> {
  if (deps.server.level === "project") await checkUnchanged(deps.options)
  return deps.server.entry.url === undefined ? { kind: "stdio", start: programOf(deps) } : httpEndpoint(deps)
}

/** A command of the session, or the server itself, may have changed what its next start would run. */
async function checkUnchanged({ config: { trusted } }: McpOptions): Promise<void> {
  for (const path of trusted?.files.keys() ?? []) {
    if ((await trusted?.readBytes(path))?.ok !== true)
      throw new FailureError(failure("denied", phrase`${path} changed since this folder was trusted (gong trust)`))
  }
}

/** Milliseconds from the close of stdin to the kill. */
const endTime = 500

function programOf({ options, server, host, log }: EndpointDeps): StartProgram {
  const { command = "", args = [], cwd, env = {}, sandbox = true } = server.entry
  const folder = options.config.workspace.folder
  const place = cwd === undefined ? folder : isAbsolute(cwd) ? cwd : join(folder, cwd)
  const program = command.includes("/") && !isAbsolute(command) ? join(place, command) : command
  return async ({ onOutput, onEnd }) => {
    // The system reports a missing folder as a missing program.
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new FailureError(failure("bad-request", phrase`${place} is not a folder ("cwd" of ${server.name})`))
    const stop = new AbortController()
    const { promise: opened, resolve } = Promise.withResolvers<HostStdin>()
    const job = `mcp-${server.name}-${systemClock.now().toString(36)}`
    const running = (await host()).exec([program, ...args], {
      cwd: place,
      env: { ...environmentOf(options), ...env },
      signal: stop.signal,
      job,
      ...(!sandbox && { unsandboxed: true }),
      onStdin: resolve,
      onData: (bytes, stream) => (stream === "stdout" ? onOutput(bytes) : log.add(bytes)),
    })
    const ended = running.then(
      ({ code, signal, note }) =>
        onEnd(`it ended with ${signal ?? `status ${code}`}${note ? `; ${note}` : ""}${log.last()}`),
      (error: unknown) => onEnd(`it could not be started: ${error instanceof Error ? error.message : String(error)}`),
    )
    const early = running.then(
      () => null,
      (error: unknown) => {
        throw new FailureError(failure("internal", phrase`${program} could not be started: ${String(error)}`))
      },
    )
    const stdin = await Promise.race([opened, early])
    return {
      write: (text) => stdin?.write(text) ?? false,
      async end() {
        stdin?.end()
        const cancel = systemClock.timer(endTime, () => stop.abort())
        await ended
        cancel()
        stop.abort()
      },
    }
  }
}

/** The environment of the user without keys and other secrets; the configuration of a server adds what it needs. */
function environmentOf({ services, spec, config, keyNames, keys }: McpOptions): Readonly<Record<string, string>> {
  const { values } = config.settings
  const allow = [...values["env.allow"], ...(spec.env ?? [])]
  const options = { keyNames, keyValues: keys, allow, deny: values["env.deny"], secrets: false }
  return childEnvironment(services.env, options).env
}

async function httpEndpoint({ options, server, network, logins }: EndpointDeps): Promise<Endpoint> {
  const { services, config } = options
  const { type, url = "", headers = {} } = server.entry
  if (config.settings.values.network === "off")
    throw new FailureError(failure("denied", phrase`the network is off in this session (--network off)`))
  const address = new URL(url)
  const { fetchOver, sessionTokens } = await import("@gong/mcp/connection")
  const login =
    logins && sessionTokens({ store: logins, clock: services.clock, fetch: fetchOver(network, address, headers) })
  return { kind: type === "sse" ? "sse" : "http", url: address, headers, network, login }
}

/** A public server cannot lead Gong to an address on this machine or in a private network. */
export function networkOf({ services, config }: McpOptions, address: URL | null): ServerNetwork & { close(): void } {
  const server = openTransport(services, config.settings)
  if (address === null || !isPublic(address)) return { server, elsewhere: server, close: () => server.close() }
  const elsewhere = openWeb(services.env, config.settings)
  const close = (): void => {
    server.close()
    elsewhere.close()
  }
  return { server, elsewhere, close }
}

function isPublic({ hostname }: URL): boolean {
  const { allows, allowsName } = publicAddressPolicy(systemAddresses)
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : /^[\d.]+$/.test(hostname) ? hostname : null
  return literal === null ? allowsName(hostname) : allows(literal)
}
