import assert from "node:assert/strict"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { test } from "node:test"
import { isHostName, readServerName } from "../../../src/host/gateway/protocols/client-hello.ts"
import { answerQuery } from "../../../src/host/gateway/protocols/dns.ts"
import { nameMounts, ownHosts, resolvConf } from "../../../src/host/gateway/name-files.ts"
import { userProxies, withoutOtherProxies } from "../../../src/host/gateway/user-proxies.ts"
import { place } from "../../workspace.ts"
import { clientHello } from "./gateway-fixture.ts"

test("a host name is a DNS name and no address in any form", () => {
  const label = "a".repeat(63)
  const longest = `${label}.${label}.${label}.${"a".repeat(61)}`
  for (const name of ["a", "a-b_c.com", "1a.b1", "1.1b", "a.0x1g", `${label}.com`, longest])
    assert.equal(isHostName(name), true, name)
  const others = ["", "a.", ".a", "a..b", " a", "a ", "1", "a.1", "a.0x", "a.0X1F", `a${label}.com`, `${longest}a`]
  for (const name of others) assert.equal(isHostName(name), false, name)
})

test("an invalid handshake is rejected at its first bytes, and an incomplete one is awaited", () => {
  const hello = clientHello("a.com")
  const bent = (at: number, byte: number) => Buffer.from(hello).fill(byte, at, at + 1)
  const rows: readonly (readonly [Buffer, string])[] = [
    [hello, "name"],
    [Buffer.concat([hello, hello.subarray(0, 3)]), "name"],
    [Buffer.from([22]), "more"],
    [Buffer.from([22, 3, 1, 0]), "more"],
    [Buffer.from([23]), "none"],
    [Buffer.from([22, 2]), "none"],
    [Buffer.from([22, 3, 1, 0, 0]), "none"],
    [Buffer.concat([Buffer.from([22, 3, 1, 0, 3]), hello.subarray(5, 8)]), "more"],
    [Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]), "none"],
    // The name type, the extension type, and its length.
    [bent(hello.length - 8, 1), "none"],
    [bent(hello.length - 13, 1), "none"],
    [bent(hello.length - 11, 200), "none"],
  ]
  for (const [bytes, found] of rows) assert.equal(readServerName(bytes).found, found, bytes.toString("hex"))
})

/** Header flags and question count, then names, then type and class. */
function query(name: string, { flags = 0x0100, count = 1, more = 0 } = {}): Buffer {
  const labels = name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  const header = Buffer.from([0xab, 0xcd, flags >> 8, flags & 255, 0, count, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, 1, 0, 1]), Buffer.alloc(more)])
}

async function answered(bytes: Buffer): Promise<string | null> {
  return (await answerQuery(bytes, async () => "127.64.0.1"))?.toString("hex") ?? null
}

test("an answer contains the question and one record, and nothing after the question", async () => {
  const asked = "0161 03636f6d 00 0001 0001".replaceAll(" ", "")
  const record = "c00c 0001 0001 00000005 0004 7f400001".replaceAll(" ", "")
  const answer = `abcd81800001000100000000${asked}${record}`
  assert.equal(await answered(query("a.com")), answer)
  assert.equal(await answered(query("a.com", { more: 9 })), answer)
  assert.equal(await answered(query("a.com", { flags: 0x0101 })), answer)
  assert.equal(await answered(query("a.com").subarray(0, -1)), null)
  assert.equal(await answered(query("a.com", { flags: 0 })), answer.replace("8180", "8080"))
})

test("other kinds of queries are answered as not implemented, without their question", async () => {
  const notImplemented = "abcd81840000000000000000"
  assert.equal(await answered(query("a.com", { flags: 0x0900 })), notImplemented)
  assert.equal(await answered(query("a.com", { flags: 0x4100 })), notImplemented)
  assert.equal(await answered(query("a.com", { count: 2 })), notImplemented)
  assert.equal(await answered(query("a.com", { count: 0 }).subarray(0, 12)), notImplemented)
  assert.equal(await answered(query("a.com", { flags: 0x8100 })), null)
})

test("queries, labels and names are limited to the DNS maximum", async () => {
  const label = "a".repeat(63)
  const exists = async (bytes: Buffer) => (await answered(bytes)) !== null
  assert.equal(await exists(query("a.com", { more: 512 - query("a.com").length })), true)
  assert.equal(await exists(query("a.com", { more: 513 - query("a.com").length })), false)
  assert.equal(await exists(query(`${label}.com`)), true)
  assert.equal(await exists(query(`a${label}.com`)), false)
  assert.equal(await exists(query(`${label}.${label}.${label}.${"a".repeat(61)}`)), true)
  assert.equal(await exists(query(`${label}.${label}.${label}.${"a".repeat(62)}`)), false)
  assert.equal(await exists(query("a b.com")), false)
  assert.equal(await exists(query("a.co m")), false)
})

test("search lines are kept, and this machine has one line per name", () => {
  const conf = " search a.corp\nxsearch b\ndomain c\nsearchx d\noptions e\n#search f\n"
  assert.equal(resolvConf(conf, "1.2.3.4"), "nameserver 1.2.3.4\n search a.corp\ndomain c\noptions e\n")
  assert.equal(ownHosts("10.127.0.0.1 a\n ::1 localhost\n::1x b\n", "box"), " ::1 localhost\n127.0.0.1 box\n")
  assert.equal(ownHosts("127.0.0.1 localhosts\n", ""), "127.0.0.1 localhost\n127.0.0.1 localhosts\n")
  assert.equal(ownHosts("127.0.0.1 a localhost # box\n", "box"), "127.0.0.1 a localhost # box\n127.0.0.1 box\n")
  assert.equal(ownHosts("127.0.0.1 xlocalhost\n127.0.1.1 box\n", "box").split("\n")[0], "127.0.0.1 localhost")
})

test("name files are private, rewritten only if they differ, and hide all other resolvers", (t) => {
  const here = place(t)
  const folder = here.at("deep/names")
  const mounts = nameMounts(folder, "127.64.0.1")
  const shown = mounts.flatMap((mount) => (mount.how === "shown" ? [[mount.path, mount.from]] : []))
  assert.deepEqual(shown, [
    ["/etc/resolv.conf", `${folder}/resolv.conf`],
    ["/etc/hosts", `${folder}/hosts`],
  ])
  assert.deepEqual([...new Set(mounts.slice(2).map(({ how }) => how))], ["hidden"])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.match(readFileSync(`${folder}/resolv.conf`, "utf8"), /^nameserver 127\.64\.0\.1\n/)
  const { ino } = statSync(`${folder}/hosts`)
  writeFileSync(`${folder}/resolv.conf`, "old")
  nameMounts(folder, "127.64.0.1")
  assert.equal(statSync(`${folder}/hosts`).ino, ino)
  assert.notEqual(readFileSync(`${folder}/resolv.conf`, "utf8"), "old")
  assert.equal(statSync(`${folder}/resolv.conf`).mode & 0o777, 0o644)
})

test("a proxy counts once, with default port 80; other kinds and addresses do not count", () => {
  const env = {
    http_proxy: "http://A.example.com",
    HTTPS_PROXY: "a.example.com:80",
    all_proxy: "http://localhost",
    ftp_proxy: "http://127.0.0.1:81",
    xhttp_proxy: "b.com",
    http_proxyx: "b.com",
  }
  assert.deepEqual(userProxies(env), [
    { host: "a.example.com", port: 80 },
    { host: "localhost", port: 80 },
    { host: "localhost", port: 81 },
  ])
  const others = { http_proxy: "", https_proxy: "http://[::1]:80", HTTP_PROXY: "http://10.0.0.1", all_proxy: "http://" }
  assert.deepEqual(userProxies(others), [])
  assert.deepEqual(withoutOtherProxies(others), { http_proxy: "" })
  for (const host of ["1.example.com", "proxy1"])
    assert.deepEqual(userProxies({ http_proxy: `http://${host}` }), [{ host, port: 80 }])
})
