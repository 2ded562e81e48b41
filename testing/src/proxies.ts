import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"

/** A working proxy on loopback; all names under `.test` are this machine. */
export interface LoopbackProxy {
  /** `http://127.0.0.1:PORT` or `socks5://127.0.0.1:PORT`, with the required user and password. */
  readonly url: string
  /** `127.0.0.1:PORT`. */
  readonly host: string
  /** Requested destinations `HOST:PORT`, in order. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

export interface ProxyOptions {
  readonly user?: string
  readonly password?: string
  /** Refuses every request with an HTTP status or a SOCKS reply code. */
  readonly refuse?: number
}

/** Supports CONNECT (RFC 9110, 9.3.6), and absolute URLs for plain http. */
export function startHttpProxy(options: ProxyOptions = {}): Promise<LoopbackProxy> {
  const wanted = Buffer.from(`${options.user}:${options.password}`).toString("base64")
  return startProxy("http", options, (client, asked) => {
    let head = ""
    const onData = (bytes: Buffer): void => {
      head += bytes.toString("latin1")
      const end = head.indexOf("\r\n\r\n")
      if (end < 0) return
      client.off("data", onData).pause()
      const given = /^proxy-authorization: basic (\S+)$/im.exec(head.slice(0, end))?.[1]
      const status = options.refuse ?? (options.user !== undefined && given !== wanted ? 407 : 200)
      if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
      const [method = "", target = ""] = head.split(" ", 2)
      const tunnel = method === "CONNECT"
      const { hostname, port } = new URL(tunnel ? `http://${target}` : target)
      asked.push(`${hostname}:${port || 80}`)
      // Origin servers must accept absolute URLs too (RFC 9112, 3.2.2).
      const rest = tunnel ? head.slice(end + 4) : head
      join(client, hostname, Number(port || 80), tunnel ? "HTTP/1.1 200 Made\r\n\r\n" : "", rest)
    }
    client.on("data", onData)
  })
}

/** Speaks SOCKS 5 (RFC 1928) with user and password (RFC 1929). */
export function startSocksProxy(options: ProxyOptions = {}): Promise<LoopbackProxy> {
  const method = options.user === undefined ? 0 : 2
  return startProxy("socks5", options, async (client, asked) => {
    const take = reader(client)
    const [, methods = 0] = await take(2)
    if (!(await take(methods)).includes(method)) return void client.end(Buffer.from([5, 0xff]))
    client.write(Buffer.from([5, method]))
    if (method === 2) {
      const [, userLength = 0] = await take(2)
      const user = (await take(userLength)).toString()
      const [passwordLength = 0] = await take(1)
      const password = (await take(passwordLength)).toString()
      if (user !== options.user || password !== options.password) return void client.end(Buffer.from([1, 1]))
      client.write(Buffer.from([1, 0]))
    }
    const [, , , kind] = await take(4)
    const host = kind === 3 ? (await take((await take(1))[0] ?? 0)).toString() : [...(await take(4))].join(".")
    const port = (await take(2)).readUInt16BE()
    const answer = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0])
    if (options.refuse !== undefined) return void client.end(answer(options.refuse))
    asked.push(`${host}:${port}`)
    take.done()
    join(client, host, port, answer(0), "")
  })
}

type Serve = (client: Socket, asked: string[]) => void | Promise<void>

async function startProxy(scheme: string, { user, password }: ProxyOptions, serve: Serve): Promise<LoopbackProxy> {
  const asked: string[] = []
  const clients = new Set<Socket>()
  const server: Server = createServer((client) => {
    clients.add(client)
    client.on("close", () => clients.delete(client)).on("error", () => client.destroy())
    void Promise.resolve(serve(client, asked)).catch(() => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const who = user === undefined ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? "")}@`
  return {
    url: `${scheme}://${who}${host}`,
    host,
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const client of clients) client.destroy()
        server.close(() => resolve())
      }),
  }
}

function join(client: Socket, host: string, port: number, answer: string | Buffer, first: string): void {
  const server = connect(port, host.endsWith(".test") ? "127.0.0.1" : host, () => {
    client.write(answer)
    server.write(Buffer.from(first, "latin1"))
    client.pipe(server).pipe(client)
  })
  server.on("error", () => client.destroy())
  client.on("close", () => server.destroy())
}

/** Reads exact numbers of bytes; after `done` the rest belongs to the next reader. */
function reader(socket: Socket) {
  let buffer = Buffer.alloc(0)
  let wake = (): void => undefined
  const onData = (bytes: Buffer): void => {
    buffer = Buffer.concat([buffer, bytes])
    wake()
  }
  socket.on("data", onData)
  const take = async (count: number): Promise<Buffer> => {
    while (buffer.length < count) await new Promise<void>((resolve) => (wake = resolve))
    const bytes = buffer.subarray(0, count)
    buffer = buffer.subarray(count)
    return bytes
  }
  return Object.assign(take, { done: () => void socket.off("data", onData).pause() })
}
