import type { Mount } from "../sandbox/plan/mount.ts"
import { type Admission, createAdmission } from "./admission.ts"
import { createLoopback, type Loopback } from "./loopback/loopback.ts"
import { nameMounts } from "./name-files.ts"
import { type Namespace, type NamespaceOptions, openNamespace } from "./namespace/namespace.ts"
import type { NetworkPorts } from "./ports.ts"
import { GATEWAY_ADDRESS, openServices, type Services } from "./services.ts"
import { userProxies, withoutOtherProxies } from "./user-proxies.ts"

type Environment = Readonly<Record<string, string>>

/** The only way out of a network that the commands of a session share. */
export interface Gateway {
  /** Begins the network with the first command. Rejects with the reason where there can be none. */
  enter(): Promise<CommandNetwork>
  close(): void
}

/** One command inside. */
export interface CommandNetwork {
  /** What its command line begins with. */
  readonly enter: readonly string[]
  /** What it must see, so that names are looked up at the gateway. */
  readonly mounts: readonly Mount[]
  /** Its environment, as it is outside, without proxies that cannot be reached. */
  environment(env: Environment): Environment
  /** To be called when it has ended; gives lines for the model about hosts that were refused meanwhile, once, null for none. */
  leave(): string | null
}

export interface GatewayOptions extends NamespaceOptions {
  readonly network: NetworkPorts
  /** Where files lie that commands are shown; Gong's own, and not to be written to by them. */
  readonly folder: string
  /** In which the user's own proxies are named. */
  readonly env: Environment
}

export function createGateway(options: GatewayOptions): Gateway {
  const admission = createAdmission(options.network)
  let opened: Promise<Inside> | null = null
  const begin = (): Promise<Inside> =>
    open(options, admission).catch((error: unknown) => {
      // The next command tries again.
      opened = null
      throw error
    })
  return {
    async enter() {
      const known = (opened ??= begin())
      let inside = await known
      if (inside.namespace.closed) {
        // The process that held it was killed: of all that wait for another one, the first makes it.
        if (opened === known) opened = begin()
        closeAll(inside)
        inside = await (opened ?? begin())
      }
      await inside.loopback.enter()
      return networkOf(inside, admission.enter())
    },
    close() {
      opened?.then(closeAll, () => undefined)
      opened = null
    },
  }
}

interface Inside {
  readonly namespace: Namespace
  readonly services: Services
  readonly loopback: Loopback
  readonly mounts: readonly Mount[]
}

async function open({ network, folder, env, ...options }: GatewayOptions, admission: Admission): Promise<Inside> {
  const mounts = nameMounts(folder, GATEWAY_ADDRESS)
  const namespace = await openNamespace(options)
  try {
    const services = await openServices(namespace, admission, userProxies(env))
    return { namespace, services, loopback: createLoopback(namespace, network), mounts }
  } catch (error) {
    namespace.close()
    throw error
  }
}

function closeAll({ namespace, services, loopback }: Inside): void {
  loopback.close()
  services.close()
  namespace.close()
}

function networkOf({ namespace, loopback, mounts }: Inside, leave: () => string | null): CommandNetwork {
  let left = false
  return {
    enter: namespace.enter,
    mounts,
    environment: withoutOtherProxies,
    leave() {
      if (left) return null
      left = true
      loopback.leave()
      return leave()
    },
  }
}
