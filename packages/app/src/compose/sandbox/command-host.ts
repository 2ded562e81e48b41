import type { Host } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import { must } from "@gong/config/usage"
import type { Services } from "../../services.ts"
import type { Config } from "../config.ts"
import { openHost } from "../hosts.ts"
import { lazily } from "../lazily.ts"
import { sessionNetworkPorts } from "../network/network-ports.ts"
import { chooseSandbox, confine } from "./sandbox.ts"

interface Known {
  readonly services: Services
  readonly spec: SessionSpec
  readonly kept: boolean
  readonly config: Config
}

/** Where the tools act, and within which walls their commands do. */
export async function commandHost(known: Known) {
  const { services, spec, kept, config } = known
  const bare = lazyHost(known)
  const place = { services, spec, config, keeps: kept, host: bare }
  const sandbox = must(await chooseSandbox(place))
  const network = sessionNetworkPorts(services, config.settings)
  return { bare, sandbox, network, host: lazily(async () => confine(await bare(), place, sandbox, network.ports)) }
}

/** Where the session's tools act. */
function lazyHost({ config: { hosts, workspace } }: Known): () => Promise<Host> {
  const { host: id, cwd, folder: project } = workspace
  return lazily(async () => must(await openHost({ hosts, id }, { cwd, project })))
}
