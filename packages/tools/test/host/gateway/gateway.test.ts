import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { test } from "node:test"
import { clientHello, gatewayPlace, listening, noGateway, portOf, recorder } from "./gateway-fixture.ts"

const skip = noGateway

/** Sends a file to a host like a program would, and prints the response. */
const send = (host: string, port: number, file = "sent") =>
  `exec 3<>/dev/tcp/${host}/${port} && cat ${file} >&3 && timeout 10 cat <&3`

test(
  "a TLS connection reaches the host in its SNI, without decryption and without environment variables",
  { skip },
  async (t) => {
    const hello = clientHello("registry.example.com")
    const server = recorder("answer", (text) => text.length >= hello.length)
    const here = gatewayPlace(t, { allow: ["registry.example.com"], server: await listening(t, server.onConnection) })
    here.put("home/repo/sent", hello)
    const { out } = await here.inside(`env -i /bin/bash -c '${send("registry.example.com", 443)}'`)
    assert.equal(out, "answer")
    assert.deepEqual(server.heard, [hello.toString("latin1")])
    assert.deepEqual(here.connected, ["registry.example.com:443 stream"])
  },
)

test("a server name that differs from the resolved name is judged by its own host", { skip }, async (t) => {
  const server = recorder("answer", () => true)
  const here = gatewayPlace(t, { allow: ["registry.example.com"], server: await listening(t, server.onConnection) })
  here.put("home/repo/sent", clientHello("other.example.com"))
  const ran = await here.inside(`${send("registry.example.com", 443)} | od -An -tx1; exit 1`)
  assert.equal(ran.out.trim(), "15 03 01 00 02 02 31")
  assert.equal(ran.note, "[network: other.example.com was refused]")
  assert.deepEqual([server.heard, here.connected], [[], []])
})

test("plain HTTP reaches the host that it names, one request per connection", { skip }, async (t) => {
  const server = recorder("HTTP/1.1 200 OK\r\n\r\nanswer", (text) => text.endsWith("body"))
  const here = gatewayPlace(t, { allow: ["registry.example.com"], server: await listening(t, server.onConnection) })
  const request =
    "POST /a HTTP/1.1\r\nHost: registry.example.com\r\nContent-Length: 4\r\nConnection: keep-alive\r\n\r\nbody"
  here.put("home/repo/sent", `${request}GET http://other.example.com/ HTTP/1.1\r\nHost: other.example.com\r\n\r\n`)
  const { out } = await here.inside(send("registry.example.com", 80))
  assert.match(out, /answer$/)
  const passed = "POST /a HTTP/1.1\r\nHost: registry.example.com\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"
  assert.deepEqual(server.heard, [passed])
  assert.deepEqual(here.connected, ["registry.example.com:80 http"])
})

test("a refused host is reported by a 403 in plain HTTP, and by an unknown name otherwise", { skip }, async (t) => {
  const here = gatewayPlace(t, { allow: ["registry.example.com"] })
  here.put("home/repo/sent", "GET / HTTP/1.1\r\nHost: other.example.com\r\n\r\n")
  const http = await here.inside(send("registry.example.com", 80))
  assert.match(http.out, /^HTTP\/1\.1 403 Forbidden\r\n[^]*\r\n\r\nother\.example\.com was refused\n$/)
  const name = await here.inside("getent hosts registry.example.com; getent hosts other.example.com")
  assert.equal(name.out.replace(/\s+/g, " "), "127.64.0.1 registry.example.com ")
  assert.equal(name.note, "[network: other.example.com was refused]")
  assert.equal((await here.inside("getent hosts other.example.com; true")).note, undefined)
})

test(
  "a port permitted by a rule is reached at that host with any protocol, and at no other host",
  { skip },
  async (t) => {
    const server = recorder("welcome", (text) => text === "hello")
    const given = { allow: ["db.example.com:5432", "registry.example.com"], ports: [5432] }
    const here = gatewayPlace(t, { ...given, server: await listening(t, server.onConnection) })
    here.put("home/repo/sent", "hello")
    assert.equal((await here.inside(send("db.example.com", 5432))).out, "welcome")
    for (const [host, port] of [
      ["registry.example.com", 5432],
      ["registry.example.com", 22],
      ["registry.example.com", 25],
    ] as const)
      assert.match((await here.inside(send(host, port))).out, /Connection refused/)
    assert.deepEqual(here.connected, ["db.example.com:5432 stream"])
  },
)

test(
  "the user is asked once per host while commands run; a refusal applies to all, and the question ends with them",
  { skip },
  async (t) => {
    const server = recorder("answer", (text) => text.length > 20)
    const open = { ask: ["asked.example.com", "other.example.com"], server: await listening(t, server.onConnection) }
    const yes = gatewayPlace(t, { ...open, answer: async ({ host }) => host === "asked.example.com" })
    yes.put("home/repo/sent", clientHello("asked.example.com"))
    yes.put("home/repo/no", clientHello("other.example.com"))
    const one = `(${send("asked.example.com", 443)})`
    assert.equal((await yes.inside(`${one}; ${one}`)).out, "answeranswer")
    assert.deepEqual(yes.asked, ["asked.example.com:443"])
    const no = `(${send("other.example.com", 443, "no")}) | od -An -tx1`
    const refused = await yes.inside(`${no}; ${no}; exit 1`)
    assert.deepEqual(
      [yes.asked.slice(1), refused.note],
      [["other.example.com:443"], "[network: other.example.com was refused by the user]"],
    )

    let aborted = false
    const answer = (_: unknown, signal: AbortSignal) =>
      new Promise<boolean>((resolve) => signal.addEventListener("abort", () => resolve(!(aborted = true))))
    const never = gatewayPlace(t, { ...open, answer })
    never.put("home/repo/sent", clientHello("asked.example.com"))
    await never.inside("exec 3<>/dev/tcp/asked.example.com/443 && cat sent >&3; timeout 0.5 cat <&3")
    assert.deepEqual([never.asked, aborted], [["asked.example.com:443"], true])
  },
)

test(
  "services on this machine's loopback are reachable at their ports, over IPv4 and IPv6, also later ones",
  { skip },
  async (t) => {
    const here = gatewayPlace(t)
    const first = await listening(t, (socket) => void socket.end("four"))
    const six = await listening(t, (socket) => void socket.end("six"), "::1")
    assert.equal((await here.inside(`cat </dev/tcp/127.0.0.1/${portOf(first)}`)).out, "four")
    assert.equal((await here.inside(`cat </dev/tcp/::1/${portOf(six)}`)).out, "six")
    const late = await listening(t, (socket) => void socket.end("late"))
    const tries = `for i in $(seq 100); do cat </dev/tcp/127.0.0.1/${portOf(late)} && exit; sleep 0.05; done 2>/dev/null`
    assert.equal((await here.inside(tries)).out, "late")
    const port = portOf(first)
    first.close()
    await once(first, "close")
    const gone = `for i in $(seq 100); do (: </dev/tcp/127.0.0.1/${port}) || exit 7; sleep 0.05; done 2>/dev/null`
    assert.equal((await here.inside(gone)).code, 7)
  },
)

test(
  "a server started by a command is reachable by the next command, and from outside while it runs",
  { skip },
  async (t) => {
    const here = gatewayPlace(t)
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const script = `require("net").createServer((s) => s.end("served")).listen(${port}, "127.0.0.1")`
    const stop = new AbortController()
    const running = here.host.exec(["node", "-e", script], {
      cwd: here.repo,
      signal: stop.signal,
      onData: () => undefined,
    })
    const wait = `for i in $(seq 200); do cat </dev/tcp/127.0.0.1/${port} && exit; sleep 0.05; done 2>/dev/null`
    assert.equal((await here.inside(wait)).out, "served")
    const visit = async (): Promise<string | null> => {
      const socket = connect(port, "127.0.0.1")
      try {
        const [bytes] = (await once(socket, "data")) as [Buffer]
        return bytes.toString()
      } catch {
        return null
      }
    }
    const until = async (wanted: string | null): Promise<void> => {
      while ((await visit()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await until("served")
    stop.abort()
    await running
    await until(null)
  },
)

test("a program that uses the user's proxy finds the gateway there", { skip }, async (t) => {
  const server = recorder("answer", (text) => text.length > 20)
  const env = { HTTP_PROXY: "http://proxy.example.com:3128", https_proxy: "http://127.0.0.1:17890" }
  const here = gatewayPlace(t, {
    allow: ["registry.example.com", "registry.example.com:8443"],
    env,
    server: await listening(t, server.onConnection),
  })
  const through = async (host: string, request: string | Buffer, port: number) => {
    here.put("home/repo/sent", request)
    return (await here.inside(send(host, port))).out
  }
  assert.equal(await through("proxy.example.com", "GET http://registry.example.com/a HTTP/1.1\r\n\r\n", 3128), "answer")
  assert.match(server.heard[0] ?? "", /^GET \/a HTTP\/1\.1\r\nHost: registry\.example\.com\r\n/)
  const tunnel = await here.inside(
    `exec 3<>/dev/tcp/127.0.0.1/17890; printf 'CONNECT registry.example.com:8443 HTTP/1.1\\r\\n\\r\\n' >&3; read -r line <&3; echo "$line"; read -r line <&3; echo 'more than twenty letters' >&3; cat <&3`,
  )
  assert.match(tunnel.out, /^HTTP\/1\.1 200 [^]*answer$/)
  for (const target of ["other.example.com:443", "localhost:22", "registry.example.com:22"])
    assert.match(await through("127.0.0.1", `CONNECT ${target} HTTP/1.1\r\n\r\n`, 17890), /^HTTP\/1\.1 403 /, target)
  for (const target of [
    "1.1.1.1:443",
    "127.0.0.1:22",
    "[::1]:22",
    "[::ffff:127.0.0.1]:22",
    "169.254.169.254:80",
    "2130706433:80",
  ])
    assert.match(await through("127.0.0.1", `CONNECT ${target} HTTP/1.1\r\n\r\n`, 17890), /^HTTP\/1\.1 400 /, target)
})
