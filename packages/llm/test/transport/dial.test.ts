import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { test, type TestContext } from "node:test"
import { FailureError } from "@gong/spec"
import { startHttpProxy, startSocksProxy } from "@gong/testing/proxies"
import { isNetworkAddress } from "../../src/transport/addresses.ts"
import { createDialer, type Dial, type DialOptions } from "../../src/transport/dial.ts"

const signal = new AbortController().signal

async function server(t: TestContext, onConnection: (socket: Socket) => void) {
  const throttle = createServer(onConnection).listen(0, "127.0.0.1")
  await once(throttle, "listening")
  t.after(() => throttle.close())
  return (throttle.address() as AddressInfo).port
}

async function kindOf(options: Partial<DialOptions>, to: Partial<Dial>): Promise<string> {
  const dial = createDialer({ resolve: async () => [], ...options })
  const wanted = { host: "a.example.com", port: 1, how: "stream", within: "public", ...to } as const
  return dial(wanted, signal).then(
    () => "connected",
    (error: unknown) => (error instanceof FailureError ? error.failure.kind : String(error)),
  )
}

const at = (...addresses: readonly string[]) => ({
  resolve: async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? (6 as const) : (4 as const) })),
})

test("a name of this machine, link-local or cloud metadata is always denied, one of a private network only without permission", async () => {
  // oxfmt-ignore
  const never = [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "169.254.169.254", "224.0.0.1", "255.255.255.255", "100.100.100.200", "192.0.0.192",
    "168.63.129.16", "::1", "::", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1", "ff02::1",
    "fd00:ec2::254", "fd20:ce::254", "::ffff:0:127.0.0.1",
  ]
  for (const address of never) {
    assert.equal(isNetworkAddress(address), false, address)
    for (const within of ["public", "networks"] as const)
      assert.equal(await kindOf(at(address), { within }), "denied", `${address} ${within}`)
  }
  for (const address of ["10.0.0.5", "172.16.0.1", "192.168.1.1", "100.64.0.1", "fd12:3456::1", "203.0.113.80"]) {
    assert.equal(isNetworkAddress(address), true, address)
    assert.equal(await kindOf(at(address), {}), "denied", address)
  }
  assert.equal(await kindOf(at("8.8.8.8", "10.0.0.5"), {}), "denied", "one address spoils the name")
})

test("hosts are denied by their spelling where possible", async () => {
  for (const host of ["localhost", "a.localhost", "127.0.0.1", "0x7f.0.0.1", "2130706433", "169.254.169.254"])
    for (const within of ["public", "networks"] as const)
      assert.equal(await kindOf({}, { host, within }), "denied", host)
  for (const host of ["intranet", "printer.local", "10.0.0.5"]) assert.equal(await kindOf({}, { host }), "denied", host)
})

test("the user's proxy makes the connection: a tunnel for streams, absolute URLs for plain HTTP", async (t) => {
  for (const start of [startHttpProxy, startSocksProxy]) {
    // It speaks first, so that its data may arrive with the proxy's answer.
    const port = await server(t, (socket) => void socket.end("welcome"))
    const proxy = await start()
    t.after(() => proxy.close())
    const env = { ALL_PROXY: proxy.url }
    const kind = proxy.url.split(":")[0]
    const dial = createDialer({ env, resolve: () => Promise.reject(new Error("the proxy looks names up")) })
    const to = { host: "model.test", port, within: "networks" } as const
    const stream = await dial({ ...to, how: "stream" }, signal)
    let heard = ""
    for await (const bytes of stream.socket) heard += String(bytes)
    assert.deepEqual([heard, stream.proxy], ["welcome", null], kind)
    const http = await dial({ ...to, how: "http" }, signal)
    http.socket.destroy()
    assert.deepEqual(http.proxy, kind === "http" ? [] : null, kind)
    assert.equal(proxy.asked.length, kind === "http" ? 1 : 2, `${kind}: plain HTTP has no tunnel through an HTTP proxy`)
  }
})

test("what a server sends with the answer of a SOCKS proxy, or before anybody reads, is not lost", async (t) => {
  for (const pieces of [["welcome"], ["wel", "come"], ["", "wel", "come"], ["", "welcome"]]) {
    const port = await server(t, (socket) => {
      const answers = [Buffer.from([5, 0]), Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])]
      socket.on("data", () => {
        const [answer, last] = [answers.shift() ?? Buffer.alloc(0), answers.length === 0]
        socket.write(last ? Buffer.concat([answer, Buffer.from(pieces[0] ?? "")]) : answer)
        for (const piece of last ? pieces.slice(1) : []) setImmediate(() => socket.write(piece))
        if (last && pieces.length === 1) socket.end()
        else if (last) setTimeout(() => socket.end(), 20)
      })
    })
    const dial = createDialer({ env: { ALL_PROXY: `socks5://127.0.0.1:${port}` }, resolve: async () => [] })
    const { socket } = await dial({ host: "model.test", port: 5432, how: "stream", within: "networks" }, signal)
    // Its user comes later.
    await new Promise((resolve) => setTimeout(resolve, 10))
    let heard = ""
    for await (const bytes of socket) heard += String(bytes)
    assert.equal(heard, "welcome", pieces.join("|"))
  }
})
