import type { Mount } from "../sandbox/plan/mount.ts"
import { type Admission, createAdmission } from "./admission.ts"
import { createLoopback, type Loopback } from "./loopback/loopback.ts"
import { nameMounts } from "./name-files.ts"
import { type Namespace, type NamespaceOptions, openNamespace } from "./namespace/namespace.ts"
import type { NetworkPorts } from "./ports.ts"
import { GATEWAY_ADDRESS, openServices, type Services } from "./services.ts"
import { userProxies, withoutOtherProxies } from "./user-proxies.ts"

type Environment = Readonly<Record<string, string>>

/** The only way out of the network that the commands of a session share. */
export interface Gateway {
  /** Starts the network with the first command. Rejects with the reason if that fails. */
  enter(): Promise<CommandNetwork>
  close(): void
}

/** The network of one command. */
export interface CommandNetwork {
  /** Prefix of its command line. */
  readonly enter: readonly string[]
  /** Mounts that make it resolve names at the gateway. */
  readonly mounts: readonly Mount[]
  /** Its environment without proxies that cannot be reached. */
  environment(env: Environment): Environment
  /** Called at its exit. Returns lines for the model about refused hosts, once; null if there are none. */
  leave(): string | null
}

export interface GatewayOptions extends NamespaceOptions {
  readonly network: NetworkPorts
  /** Folder for files that commands see. Belongs to Gong; commands must not write to it. */
  readonly folder: string
  /** Environment with the user's proxies. */
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
        // The holder process was killed. Of all waiting commands the first one starts a new network.
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
