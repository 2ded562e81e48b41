import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:net"
import { test } from "node:test"
import { connect } from "node:tls"
import { readServerName } from "../../../src/host/gateway/protocols/client-hello.ts"
import { answerQuery } from "../../../src/host/gateway/protocols/dns.ts"
import { ownHosts, resolvConf } from "../../../src/host/gateway/name-files.ts"
import { readRequestHead } from "../../../src/host/gateway/protocols/request-head.ts"
import { userProxies, withoutOtherProxies } from "../../../src/host/gateway/user-proxies.ts"

/** The first message of Node's own client. */
async function helloFor(servername: string): Promise<Buffer> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const client = connect({ port, host: "127.0.0.1", servername })
  client.on("error", () => undefined)
  const [socket] = (await once(server, "connection")) as [import("node:net").Socket]
  const [bytes] = (await once(socket, "data")) as [Buffer]
  client.destroy()
  socket.destroy()
  server.close()
  return bytes
}

test("the server name of a TLS client is read from any chunks and records", async () => {
  const hello = await helloFor("registry.example.com")
  const name = { found: "name", name: "registry.example.com" }
  assert.deepEqual(readServerName(hello), name)
  for (let length = 0; length < hello.length; length++)
    assert.equal(readServerName(hello.subarray(0, length)).found, "more", `${length} bytes`)
  const body = hello.subarray(5)
  const record = (bytes: Buffer) =>
    Buffer.concat([Buffer.from([22, 3, 1, bytes.length >> 8, bytes.length & 255]), bytes])
  const pieces = [body.subarray(0, 3), body.subarray(3, 60), body.subarray(60)].map(record)
  assert.deepEqual(readServerName(Buffer.concat(pieces)), name)
})

test("no server name is found without a ClientHello, without SNI, or for an address", async () => {
  const hello = await helloFor("registry.example.com")
  const none = { found: "none" }
  assert.deepEqual(readServerName(await helloFor("")), none)
  assert.deepEqual(readServerName(Buffer.from("GET / HTTP/1.1\r\n\r\n")), none)
  assert.deepEqual(readServerName(Buffer.from("SSH-2.0-OpenSSH_9.2\r\n")), none)
  const at = hello.indexOf("registry.example.com")
  for (const other of ["127.0.0.1.127.000.1", "registry.example.c\0m", "registry example.com", "registry..example.om"])
    assert.deepEqual(readServerName(spliced(hello, at, other.padEnd(20, "1").slice(0, 20))), none, other)
  // Lengths that exceed the message.
  for (let byte = 6; byte < hello.length; byte++) {
    const bent = Buffer.from(hello)
    bent[byte] = 255
    assert.ok(["none", "more", "name"].includes(readServerName(bent).found))
  }
})

function spliced(bytes: Buffer, at: number, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text, "latin1"), bytes.subarray(at + text.length)])
}

function query(name: string, type = 1): Buffer {
  const labels = name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  const header = Buffer.from([0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, type, 0, 1])])
}

test("a name resolves to its given address and has no other record", async () => {
  const given = async (name: string) => (name === "known.example.com" ? "127.64.0.1" : null)
  const known = await answerQuery(query("Known.Example.com"), given)
  assert.equal(known?.toString("hex", 0, 8), "abcd818000010001")
  assert.deepEqual([...(known?.subarray(-4) ?? [])], [127, 64, 0, 1])
  // AAAA and TXT: the name exists and has no such record.
  for (const type of [28, 16])
    assert.equal(
      (await answerQuery(query("known.example.com", type), given))?.toString("hex", 0, 8),
      "abcd818000010000",
    )
  // NXDOMAIN.
  assert.equal((await answerQuery(query("other.example.com"), given))?.toString("hex", 0, 8), "abcd818300010000")
})

test("a malformed query is not answered", async () => {
  const asked: string[] = []
  const given = async (name: string) => {
    asked.push(name)
    return "127.64.0.1"
  }
  const response = Buffer.from(query("a.com"))
  response[2] = 0x81
  const endless = Buffer.concat([query("a.com").subarray(0, 12), Buffer.alloc(400, 63)])
  const pointer = Buffer.concat([query("a.com").subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])])
  const inner = Buffer.concat([query("a").subarray(0, 12), Buffer.from("\x05a.com\0\0\x01\0\x01", "latin1")])
  const other = Buffer.from(query("a.com"))
  other.writeUInt16BE(3, other.length - 2)
  for (const bad of [
    Buffer.alloc(0),
    Buffer.alloc(11),
    response,
    endless,
    pointer,
    inner,
    other,
    query("a.com").subarray(0, 18),
  ])
    assert.equal(await answerQuery(bad, given), null, bad.toString("hex"))
  assert.deepEqual(asked, [])
})

test("a request head names one host, and ambiguous heads are rejected", () => {
  const read = (text: string) => readRequestHead(Buffer.from(text, "latin1"))
  const host = (text: string) => {
    const found = read(text)
    return found.read === "head" ? `${found.head.host}:${found.head.port} ${found.head.path}` : found
  }
  assert.equal(host("GET /a?b HTTP/1.1\r\nHost: Example.com\r\n\r\n"), "example.com:80 /a?b")
  assert.equal(host("GET http://example.com:8080/a HTTP/1.1\r\nHost: example.com:8080\r\n\r\n"), "example.com:8080 /a")
  assert.equal(host("GET http://example.com?q HTTP/1.1\r\n\r\n"), "example.com:80 /?q")
  assert.equal(host("CONNECT example.com:443 HTTP/1.1\r\n\r\n"), "example.com:443 example.com:443")
  assert.deepEqual(read("GET / HTTP/1.1\r\nHost: exa"), { read: "more" })
  assert.deepEqual(read(`GET / HTTP/1.1\r\nA: ${"a".repeat(17_000)}`), { read: "bad", status: 431 })
  // oxfmt-ignore
  const bad = [
    "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a.com\r\nHost: b.com\r\n\r\n",
    "GET http://a.com/ HTTP/1.1\r\nHost: b.com\r\n\r\n", "GET http://a.com@b.com/ HTTP/1.1\r\n\r\n",
    "GET https://a.com/ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: 2130706433\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: 0x7f.0x1\r\n\r\n", "GET / HTTP/1.1\r\nHost: 0x7f000001\r\n\r\n", "GET / HTTP/1.1\r\nHost : a.com\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a.com\r\n X: folded\r\n\r\n", "GET / HTTP/1.1\r\nHost: a.com\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a.com\r\nContent-Length: +1\r\n\r\n", "GET / HTTP/1.1\nHost: a.com\r\n\r\n",
    "GET / HTTP/2\r\nHost: a.com\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a.com\r\n\r\n", "CONNECT 1.2.3.4:443 HTTP/1.1\r\n\r\n",
    "CONNECT a.com HTTP/1.1\r\n\r\n", "CONNECT a.com:0 HTTP/1.1\r\n\r\n", "CONNECT [::ffff:127.0.0.1]:80 HTTP/1.1\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\n", "get / HTTP/1.1\r\nHost: a.com\r\n\r\n", "GET / HTTP/1.1\r\nHost: a.com\rX: b\r\n\r\n",
  ]
  for (const text of bad) assert.deepEqual(read(text), { read: "bad", status: 400 }, JSON.stringify(text))
  const chunked = read("POST / HTTP/1.1\r\nHost: a.com\r\nTransfer-Encoding: chunked\r\n\r\n")
  assert.deepEqual(chunked, { read: "bad", status: 411 })
})

test("hop-by-hop headers, and those listed in Connection, are not forwarded", () => {
  const text =
    "GET / HTTP/1.1\r\nHost: a.com\r\nAccept: x\r\nConnection: close, X-Own\r\nX-Own: 1\r\nProxy-Authorization: Basic x\r\nTE: a\r\n\r\n"
  const found = readRequestHead(Buffer.from(text))
  assert.deepEqual(found.read === "head" && found.head.headers, ["Accept: x"])
})

test("search lists and options of resolv.conf are kept, its servers are not; hosts keeps only names of this machine", () => {
  const conf = "# own\nnameserver 10.0.0.1\nsearch a.corp b.corp\noptions ndots:2\n"
  assert.equal(resolvConf(conf, "127.64.0.1"), "nameserver 127.64.0.1\nsearch a.corp b.corp\noptions ndots:2\n")
  const hosts = "127.0.0.1 localhost\n::1 localhost ip6-localhost\n10.0.0.5 db\n172.17.0.2 box\n"
  assert.equal(ownHosts(hosts, "box"), "127.0.0.1 localhost\n::1 localhost ip6-localhost\n127.0.0.1 box\n")
  assert.equal(ownHosts("127.0.1.1 box\n", "box"), "127.0.0.1 localhost\n127.0.1.1 box\n")
})

test("supported HTTP proxies stay in the environment, others are removed", () => {
  const env = {
    HTTP_PROXY: "http://u:p@proxy.example.com:3128",
    https_proxy: "127.0.0.1:7890",
    ALL_PROXY: "socks5://127.0.0.1:7890",
    ftp_proxy: "https://proxy.example.com",
    no_proxy: "a.com",
    HTTPS_PROXY: "http://10.0.0.1:3128",
    PATH: "/bin",
  }
  const at = [
    { host: "proxy.example.com", port: 3128 },
    { host: "localhost", port: 7890 },
  ]
  assert.deepEqual(userProxies(env), at)
  assert.deepEqual(Object.keys(withoutOtherProxies(env)), ["HTTP_PROXY", "https_proxy", "no_proxy", "PATH"])
})
