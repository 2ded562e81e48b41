import { connect, createServer } from "node:net"
import { createForwards } from "./forwards.ts"
import { type Listener, listenersOf } from "./listeners.ts"
import type { Namespace } from "../namespace/namespace.ts"
import type { NetworkPorts } from "../ports.ts"

/** The loopback of this machine and that of the commands: what listens on one answers on the other, at the same port. */
export interface Loopback {
  /** A command begins: all that listens now on this machine is there when this resolves. */
  enter(): Promise<void>
  /** A command has ended. */
  leave(): void
  close(): void
}

/**
 * Milliseconds between two looks while commands run, doubled with each: a look goes through all sockets that the kernel has
 * room for, which takes some milliseconds of a thread.
 */
const LOOK_FIRST_MS = 400
const LOOK_LAST_MS = 3200
/** Below are ports that only servers of the system use. */
const OWN_PORT_MIN = 1024

export function createLoopback(namespace: Namespace, network: NetworkPorts): Loopback {
  const inward = createForwards({
    listen: ({ address, port }) => namespace.listen(address, port),
    connect: async ({ address, port }) => connect({ host: address, port, allowHalfOpen: true }),
    allows: async ({ port }) => (await network.decide({ host: "localhost", port })).verdict === "allow",
  })
  const outward = createForwards({
    listen: listenHere,
    connect: ({ address, port }) => namespace.connect(address, port),
    allows: async ({ port }) => port >= OWN_PORT_MIN,
  })
  let running = 0
  let looking: Promise<void> | null = null
  let lookedAt = -Infinity
  let timer: NodeJS.Timeout | null = null
  const find = async (): Promise<void> => {
    lookedAt = performance.now()
    const [here, there] = await Promise.all([listenersOf("self"), listenersOf(namespace.pid)])
    await inward.follow(here.filter((at) => !outward.has(at)))
    // All that commands have begun has ended with them.
    await outward.follow(running === 0 ? [] : there.filter((at) => !inward.has(at)))
  }
  const look = (): Promise<void> => (looking ??= find().finally(() => (looking = null)))
  const lookAfter = (ms: number): void => {
    timer = setTimeout(() => {
      lookAfter(Math.min(2 * ms, LOOK_LAST_MS))
      look().catch(() => undefined)
    }, ms).unref()
  }
  const rest = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    outward.close()
  }
  return {
    async enter() {
      running++
      if (timer !== null) clearTimeout(timer)
      lookAfter(LOOK_FIRST_MS)
      const first = lookedAt === -Infinity
      // Later ones need not wait: the command takes longer to begin.
      const found = first || performance.now() - lookedAt > LOOK_FIRST_MS ? look() : Promise.resolve()
      if (first) await found
      else found.catch(() => undefined)
    },
    leave() {
      running--
      if (running === 0) rest()
    },
    close() {
      rest()
      inward.close()
    },
  }
}

function listenHere({ address, port }: Listener) {
  const server = createServer({ allowHalfOpen: true })
  const { promise, resolve, reject } = Promise.withResolvers<typeof server>()
  server.once("error", reject)
  server.listen({ host: address, port, ipv6Only: true }, () => resolve(server))
  return promise
}
