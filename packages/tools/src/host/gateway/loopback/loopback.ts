import { connect, createServer } from "node:net"
import { createForwards } from "./forwards.ts"
import { type Listener, listenersOf } from "./listeners.ts"
import type { Namespace } from "../namespace/namespace.ts"
import type { NetworkPorts } from "../ports.ts"

/**
 * Connects the loopback interfaces of this machine and of the commands: a listener on one side is reachable on the
 * other at the same port.
 */
export interface Loopback {
  /** A command starts. Resolves when all current listeners of this machine are reachable. */
  enter(): Promise<void>
  /** A command has exited. */
  leave(): void
  close(): void
}

/**
 * Milliseconds between two scans while commands run, doubled after each scan. A scan walks all sockets of the kernel,
 * which takes some milliseconds of CPU.
 */
const SCAN_FIRST_MS = 400
const SCAN_LAST_MS = 3200
/** Lower ports belong to system services. */
const OWN_PORT_MIN = 1024

export function createLoopback(namespace: Namespace, network: NetworkPorts): Loopback {
  const internal = createForwards({
    listen: ({ address, port }) => namespace.listen(address, port),
    connect: async ({ address, port }) => connect({ host: address, port, allowHalfOpen: true }),
    allows: async ({ port }) => (await network.decide({ host: "localhost", port })).verdict === "allow",
  })
  const external = createForwards({
    listen: listenHere,
    connect: ({ address, port }) => namespace.connect(address, port),
    allows: async ({ port }) => port >= OWN_PORT_MIN,
  })
  let running = 0
  let scanning: Promise<void> | null = null
  let scannedAt = -Infinity
  let timer: NodeJS.Timeout | null = null
  const find = async (): Promise<void> => {
    scannedAt = performance.now()
    const [here, there] = await Promise.all([listenersOf("self"), listenersOf(namespace.pid)])
    await internal.follow(here.filter((at) => !external.has(at)))
    // All processes of the commands ended with them.
    await external.follow(running === 0 ? [] : there.filter((at) => !internal.has(at)))
  }
  const scan = (): Promise<void> => (scanning ??= find().finally(() => (scanning = null)))
  const scanAfter = (ms: number): void => {
    timer = setTimeout(() => {
      scanAfter(Math.min(2 * ms, SCAN_LAST_MS))
      scan().catch(() => undefined)
    }, ms).unref()
  }
  const stopScanning = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    external.close()
  }
  return {
    async enter() {
      running++
      if (timer !== null) clearTimeout(timer)
      scanAfter(SCAN_FIRST_MS)
      const first = scannedAt === -Infinity
      // Later commands need not wait: a command takes longer to start than the scan.
      const found = first || performance.now() - scannedAt > SCAN_FIRST_MS ? scan() : Promise.resolve()
      if (first) await found
      else found.catch(() => undefined)
    },
    leave() {
      running--
      if (running === 0) stopScanning()
    },
    close() {
      stopScanning()
      internal.close()
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
