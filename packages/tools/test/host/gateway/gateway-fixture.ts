import { once } from "node:events"
import { existsSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import type { TestContext } from "node:test"
import { createGateway, type NetworkPorts, type Target } from "../../../src/host/gateway/index.ts"
import { place } from "../../workspace.ts"
import { noSandbox, sandboxPlace, type SandboxPlace } from "../sandbox/sandbox-fixture.ts"

const nsenter = "/usr/bin/nsenter"

/** Why the gateway cannot be tested on this machine; false if it can. */
export const noGateway: string | false = noSandbox !== false ? noSandbox : existsSync(nsenter) ? false : "no nsenter"

export interface GatewayPlace extends SandboxPlace {
  /** Connections made, as `host:port how`. */
  readonly connected: string[]
  /** Questions to the user. */
  readonly asked: string[]
}

export interface Internet {
  /** Permitted hosts, as `host` or `host:port`; the user permits those in `asked`. */
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly answer?: (target: Target, signal: AbortSignal) => Promise<boolean>
  readonly ports?: readonly number[]
  /** The server behind every host name. */
  readonly server?: Server
  readonly env?: Readonly<Record<string, string>>
  /** Local services that are not forwarded. */
  readonly closed?: ReadonlySet<number>
}

/** A sandbox whose commands use the gateway; one loopback server stands for the whole internet. */
export function gatewayPlace(t: TestContext, internet: Internet = {}): GatewayPlace {
  const connected: string[] = []
  const asked: string[] = []
  const covers = (list: readonly string[] = [], { host, port }: Target) =>
    list.includes(`${host}:${port}`) || ((port === 80 || port === 443) && list.includes(host))
  const network: NetworkPorts = {
    async decide(target) {
      if (target.host === "localhost" && internet.closed?.has(target.port)) return { verdict: "refuse", why: "closed" }
      if (target.host === "localhost" || covers(internet.allow, target)) return { verdict: "allow" }
      if (covers(internet.ask, target)) return { verdict: "ask" }
      return { verdict: "refuse", why: `${target.host} was refused` }
    },
    ports: async () => internet.ports ?? [],
    async ask(target, signal) {
      asked.push(`${target.host}:${target.port}`)
      const yes = (await internet.answer?.(target, signal)) ?? false
      return yes ? { verdict: "allow" } : { verdict: "refuse", why: `${target.host} was refused by the user` }
    },
    async connect({ host, port }, how) {
      connected.push(`${host}:${port} ${how}`)
      if (internet.server === undefined) return { why: `${host} could not be reached` }
      const socket = connect({ port: portOf(internet.server), host: "127.0.0.1", allowHalfOpen: true })
      await once(socket, "connect")
      return { socket, proxy: null }
    },
  }
  const uid = process.getuid?.() ?? null
  const gateway = createGateway({
    bwrap: "/usr/bin/bwrap",
    nsenter,
    uid,
    network,
    folder: place(t).at("names"),
    env: internet.env ?? {},
  })
  const here = sandboxPlace(t, { gateway })
  t.after(() => gateway.close())
  return { ...here, connected, asked }
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** A loopback server that ends with the test. */
export async function listening(t: TestContext, onConnection: (socket: Socket) => void, host = "127.0.0.1") {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    onConnection(socket)
  })
  server.listen(0, host)
  await once(server, "listening")
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return server
}

/** Records data, and answers once `enough` of it has arrived. */
export function recorder(answer: string, enough: (text: string) => boolean) {
  const heard: string[] = []
  return {
    heard,
    onConnection(socket: Socket): void {
      const at = heard.push("") - 1
      let answered = false
      socket.on("data", (bytes: Buffer) => {
        heard[at] += bytes.toString("latin1")
        if (answered || !enough(heard[at] ?? "")) return
        answered = true
        socket.end(answer)
      })
    },
  }
}

/** A minimal ClientHello with this server name. */
export function clientHello(name: string): Buffer {
  const sized = (size: number, bytes: Buffer) => {
    const length = Buffer.alloc(size)
    length.writeUIntBE(bytes.length, 0, size)
    return Buffer.concat([length, bytes])
  }
  const names = sized(2, Buffer.concat([Buffer.from([0]), sized(2, Buffer.from(name))]))
  const extensions = sized(2, Buffer.concat([Buffer.from([0, 0]), sized(2, names)]))
  const fixed = [
    Buffer.from([3, 3]),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    sized(2, Buffer.from([0x13, 1])),
    Buffer.from([1, 0]),
  ]
  const hello = Buffer.concat([Buffer.from([1]), sized(3, Buffer.concat([...fixed, extensions]))])
  return Buffer.concat([Buffer.from([22, 3, 1]), sized(2, hello)])
}
