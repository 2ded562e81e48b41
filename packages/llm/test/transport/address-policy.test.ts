import assert from "node:assert/strict"
import type { AddressInfo } from "node:net"
import { test, type TestContext } from "node:test"
import { failureOf } from "@gong/spec"
import { isPublicAddress } from "../../src/transport/addresses.ts"
import { type Address, publicAddressPolicy, type AddressPolicy } from "../../src/transport/address-policy.ts"
import { createTransport, type TransportOptions } from "../../src/transport/transport.ts"

const { createServer } = process.getBuiltinModule("node:http")

test("addresses of this machine, of private networks and of reserved ranges are not public, in any notation", () => {
  const closed =
    `0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.9 169.254.169.254 172.16.0.1 172.31.255.255
    192.168.0.1 192.0.0.8 192.0.2.1 198.18.0.1 198.19.9.9 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1
    255.255.255.255 168.63.129.16 :: ::1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1 2001:db8::1 2001::1
    ::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:a9fe:a9fe ::127.0.0.1 ::ffff:0:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::1
    2002:7f00:1:: 2002:c0a8:101::1 3fff::1 4000::1 100::1 example.com 1.2.3 1.2.3.256 ::1::2 1:2:3:4:5:6:7:8:9 12345::1
    0x7f.0.0.1`.split(/\s+/)
  for (const address of ["", ...closed]) assert.equal(isPublicAddress(address), false, address)
  const open = `1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 169.253.0.1 223.5.5.5 2606:4700::1111
    2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2001:4860::8`.split(/\s+/)
  for (const address of open) assert.equal(isPublicAddress(address), true, address)
})

/** A server on this machine, with names from the test's resolver. */
async function serve(
  t: TestContext,
  answers: Readonly<Record<string, readonly string[]>>,
  options: TransportOptions = {},
) {
  const asked: string[] = []
  const looked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    response.end("page")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const addressPolicy: AddressPolicy = {
    ...publicAddressPolicy(async (name) => {
      looked.push(name)
      return (answers[name] ?? []).map((address): Address => ({ address, family: address.includes(":") ? 6 : 4 }))
    }),
    // The only foreign host that a test can reach.
    allows: (address) => address === "127.0.0.1" || isPublicAddress(address),
  }
  const transport = createTransport({ addressPolicy, ...options })
  t.after(() => {
    transport.close()
    server.closeAllConnections()
    server.close()
  })
  const get = async (url: string) => {
    const { signal } = new AbortController()
    try {
      const response = await transport.send({ url, method: "GET", headers: {}, body: [], signal })
      for await (const _ of response.body);
      return String(response.status)
    } catch (error) {
      const { kind, retryable } = failureOf(error)
      return retryable ? `${kind}, again` : kind
    }
  }
  return { port, asked, looked, get }
}

test("a name is resolved once, and the connection uses the checked address", async (t) => {
  const { port, asked, looked, get } = await serve(t, { "docs.example.com": ["127.0.0.1"] })
  assert.equal(await get(`http://docs.example.com:${port}/a`), "200")
  assert.deepEqual([asked, looked], [[`docs.example.com:${port} /a`], ["docs.example.com"]])
})

test("a name with one denied address is denied before any connection", async (t) => {
  const { port, asked, get } = await serve(t, {
    "two.example.com": ["127.0.0.1", "10.0.0.1"],
    "mapped.example.com": ["::ffff:127.0.0.1"],
    "meta.example.com": ["169.254.169.254"],
  })
  for (const name of ["two", "mapped", "meta"])
    assert.equal(await get(`http://${name}.example.com:${port}/`), "denied", name)
  assert.equal(await get(`http://nobody.example.com:${port}/`), "network, again")
  assert.deepEqual(asked, [])
})

test("addresses in the URL, in every notation, and reserved names are denied without a lookup", async (t) => {
  const { asked, looked, get } = await serve(t, {})
  const hosts = `10.0.0.1 0x7f.2 2130706434 0177.0.0.2 [::1] [::ffff:127.0.0.2] [fe80::1] 127.2 localhost LOCALHOST.
    a.localhost printer nas.local metadata.google.internal router.lan`.split(/\s+/)
  for (const host of hosts) assert.equal(await get(`http://${host}/`), "denied", host)
  assert.deepEqual([asked, looked], [[], []])
})

test("behind a proxy the proxy resolves names, and a denied spelling is still denied", async (t) => {
  const proxied: string[] = []
  const proxy = createServer((request, response) => {
    proxied.push(request.url ?? "")
    response.end("page")
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const env = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
  const { looked, get } = await serve(t, {}, { env })
  assert.equal(await get("http://docs.example.com/a"), "200")
  for (const host of ["169.254.169.254", "localhost", "intranet"]) assert.equal(await get(`http://${host}/`), "denied")
  assert.deepEqual([proxied, looked], [["http://docs.example.com/a"], []])
})
