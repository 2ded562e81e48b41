import type { Socket } from "node:net"
import type { Admission } from "./admission.ts"
import { answerQuery } from "./protocols/dns.ts"
import type { Namespace } from "./namespace/namespace.ts"
import type { Target } from "./ports.ts"
import { relay } from "./protocols/relay.ts"
import { serveHttp, type Tunnels } from "./protocols/serve-http.ts"
import { serveTls } from "./protocols/serve-tls.ts"
import * as texts from "./texts.ts"

/** Host names resolve to this address inside. It differs from 127.0.0.1, where a command may run a server. */
export const GATEWAY_ADDRESS = "127.64.0.1"

/** Maximum number of connections through the gateway; each holds two descriptors. */
const CONNECTIONS_MAX = 512
/** Maximum number of hosts with ports other than 80 and 443, each with an address of its own. */
const ADDRESSES_MAX = 200

/** The listeners for commands, beside the services of this machine. */
export interface Services {
  close(): void
}

/** Opens the name service, ports 80 and 443, additional ports of some hosts, and the user's proxies. */
export async function openServices(
  namespace: Namespace,
  admission: Admission,
  proxies: readonly Target[],
): Promise<Services> {
  const { serve, close } = servers(namespace)
  const tls = tlsService(admission)
  const http = { reach: (target: Target) => admission.reach(target, "http"), proxy: null }
  const proxy = { ...http, proxy: proxyService(admission, tls) }
  const isProxy = (at: Target) => proxies.some(({ host, port }) => host === at.host && port === at.port)
  const standard = async (address: string): Promise<void> => {
    await serve(address, 443, (client) => serveTls(client, tls))
    await serve(address, 80, (client) => serveHttp(client, http))
  }
  const ownAddress = async (host: string, ports: readonly number[], address: string): Promise<string> => {
    await standard(address)
    for (const port of ports)
      await serve(address, port, (client) =>
        isProxy({ host, port }) ? serveHttp(client, proxy) : serveStream(client, { host, port }, admission),
      )
    return address
  }
  const extraPorts = async (host: string): Promise<readonly number[]> => {
    const served = proxies.filter((one) => one.host === host && one.port !== 80).map(({ port }) => port)
    return [...new Set([...served, ...(await admission.extraPorts(host))])]
  }
  await standard(GATEWAY_ADDRESS)
  for (const { port } of proxies.filter(({ host }) => host === "localhost"))
    await serve("127.0.0.1", port, (client) => serveHttp(client, proxy))
  const addressOf = addressBook({ admission, extraPorts, ownAddress })
  const closeNames = await openNameService(namespace, addressOf)
  return {
    close() {
      closeNames()
      close()
    },
  }
}

/** Listeners owned by this process, with a common connection limit. */
function servers(namespace: Namespace) {
  const closers: (() => void)[] = []
  let connections = 0
  const serve = async (address: string, port: number, work: (client: Socket) => Promise<void>): Promise<void> => {
    const server = await namespace.listen(address, port)
    closers.push(() => server.close())
    server.unref()
    server.on("error", () => undefined)
    server.on("connection", (client) => {
      client.on("error", () => undefined)
      if (connections >= CONNECTIONS_MAX) return void client.destroy()
      connections++
      client.once("close", () => connections--)
      work(client).catch(() => client.destroy())
    })
  }
  return { serve, close: () => closers.forEach((close) => close()) }
}

interface AddressBookDeps {
  readonly admission: Admission
  extraPorts(host: string): Promise<readonly number[]>
  ownAddress(host: string, ports: readonly number[], address: string): Promise<string>
}

/** The address of each name: a common one, except for hosts with ports of their own. */
function addressBook({ admission, extraPorts, ownAddress }: AddressBookDeps): (host: string) => Promise<string | null> {
  const own = new Map<string, Promise<string>>()
  return async (host) => {
    const known = own.get(host)
    if (known !== undefined) return known
    const ports = await extraPorts(host)
    if (ports.length === 0) return (await admission.isAlwaysRefused(host)) ? null : GATEWAY_ADDRESS
    const again = own.get(host)
    if (again !== undefined || own.size >= ADDRESSES_MAX) return again ?? GATEWAY_ADDRESS
    const made = ownAddress(host, ports, addressAt(own.size)).catch(() => GATEWAY_ADDRESS)
    own.set(host, made)
    return made
  }
}

function addressAt(number: number): string {
  return `127.64.1.${1 + number}`
}

async function openNameService(
  namespace: Namespace,
  addressOf: (host: string) => Promise<string | null>,
): Promise<() => void> {
  const names = await namespace.bind(GATEWAY_ADDRESS, 53)
  names.unref()
  names.on("error", () => undefined)
  names.on("message", (query, from) => {
    answerQuery(query, addressOf).then(
      (answer) => answer && names.send(answer, from.port, from.address, () => undefined),
      () => undefined,
    )
  })
  return () => names.close()
}

type TlsService = Parameters<typeof serveTls>[1]

function tlsService(admission: Admission): TlsService {
  return {
    onMissingName: () => admission.note(texts.noServerName()),
    async reach(host) {
      const reached = await admission.reach({ host, port: 443 }, "stream")
      return "why" in reached ? null : reached
    },
  }
}

/** For programs configured with a proxy of the user: connections inside CONNECT are treated like direct ones. */
function proxyService(admission: Admission, tls: TlsService): Tunnels {
  return {
    admit: admission.admit,
    tunnel: (client, target) =>
      target.port === 443 ? serveTls(client, { ...tls, only: target.host }) : serveStream(client, target, admission),
  }
}

/** Relays an unknown protocol to one host, at a port permitted by a rule. */
async function serveStream(client: Socket, target: Target, admission: Admission): Promise<void> {
  const reached = await admission.reach(target, "stream")
  if ("why" in reached) return void client.destroy()
  await relay(client, reached.socket)
}
