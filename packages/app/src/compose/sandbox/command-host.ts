import type { Host } from "@gong/spec"
import { must } from "@gong/config/usage"
import type { SessionContext } from "../config.ts"
import { openHost } from "../hosts.ts"
import { lazily } from "../lazily.ts"
import { sessionNetworkPorts } from "../network/network-ports.ts"
import { sandboxedHost } from "./sandboxed-host.ts"
import { chooseSandbox } from "./sandbox.ts"

interface CommandContext extends SessionContext {
  readonly persistent: boolean
}

/** The host of the tools, and the sandbox of their commands. `bareHost` is without the sandbox. */
export async function commandHost(context: CommandContext) {
  const bareHost = lazyHost(context)
  const deps = { ...context, host: bareHost }
  const sandbox = must(await chooseSandbox(deps))
  const networkPorts = sessionNetworkPorts(context.services, context.config.settings)
  const host = lazily(async () => sandboxedHost(await bareHost(), deps, sandbox, networkPorts.ports))
  return { bareHost, sandbox, networkPorts, host }
}

function lazyHost({ config: { hosts, workspace } }: CommandContext): () => Promise<Host> {
  const { host: id, cwd, folder: project } = workspace
  return lazily(async () => must(await openHost({ hosts, id }, { cwd, project })))
}
