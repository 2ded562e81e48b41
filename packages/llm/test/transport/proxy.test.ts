import assert from "node:assert/strict"
import { test } from "node:test"
import { FailureError } from "@gong/spec"
import { type Environment, proxyFor, type ProxyOptions } from "../../src/transport/proxy.ts"

function name(address: string, env: Environment, options?: ProxyOptions): string | null {
  return proxyFor(new URL(address), env, options)?.name ?? null
}

test("the scheme selects the variable, ALL_PROXY is for both, in upper or lower case", () => {
  const env = { HTTPS_PROXY: "http://a:1", http_proxy: "b:2", ALL_PROXY: "socks5://c:3" }
  assert.equal(name("https://m.example/v1", env), "http://a:1")
  assert.equal(name("http://m.example/v1", env), "http://b:2")
  assert.equal(name("https://m.example", { HTTPS_PROXY: "", all_proxy: "socks5h://c" }), "socks5h://c")
  assert.equal(name("https://m.example", {}), null)
  assert.equal(proxyFor(new URL("https://m.example"), { all_proxy: "socks://c" })?.variable, "all_proxy")
})

test("the display name has no password, the URL has it", () => {
  const proxy = proxyFor(new URL("https://m.example"), { ALL_PROXY: "socks5://me:s%40cret@127.0.0.1:7890" })
  assert.equal(proxy?.name, "socks5://127.0.0.1:7890")
  assert.deepEqual([proxy?.url.username, proxy?.url.password, proxy?.kind], ["me", "s%40cret", "socks"])
})

test("loopback addresses bypass the proxy by default", () => {
  const env = { ALL_PROXY: "http://a:1" }
  for (const host of ["127.0.0.1:11434", "localhost", "[::1]:80", "gong.localhost", "127.9.9.9"])
    assert.equal(name(`http://${host}/`, env), null, host)
  for (const host of ["localhost.example", "notlocalhost", "127.0.0.1.example.com", "128.0.0.1", "[::2]"])
    assert.equal(name(`http://${host}/`, env), "http://a:1", host)
  assert.equal(name("http://127.0.0.1/", env, { loopback: true }), "http://a:1")
})

const around: readonly [list: string, address: string, goes: boolean][] = [
  ["*", "https://m.example", true],
  ["m.example", "https://m.example", true],
  ["m.example", "https://api.m.example", true],
  [".m.example", "https://m.example", true],
  ["*.m.example", "https://api.m.example", true],
  ["m.example", "https://badm.example", false],
  ["m.example", "https://m.example.evil", false],
  ["M.Example", "https://m.EXAMPLE", true],
  ["a.example, m.example", "https://m.example", true],
  ["a.example m.example", "https://m.example", true],
  ["m.example:443", "https://m.example", true],
  ["m.example:443", "https://m.example:8443", false],
  ["m.example:80", "http://m.example", true],
  ["10.0.0.0/8", "http://10.200.3.4:8000", true],
  ["10.0.0.0/8", "http://11.0.0.1", false],
  ["192.168.1.0/24", "http://192.168.2.1", false],
  ["0.0.0.0/0", "http://192.168.2.1", true],
  ["10.0.0.0/99", "http://10.0.0.1", false],
  ["192.168.1.7", "http://192.168.1.7:8000", true],
  ["fd00::7", "http://[fd00::7]:8000", true],
  ["[fd00::7]:8000", "http://[fd00::7]:8000", true],
  ["[fd00::7]:8001", "http://[fd00::7]:8000", false],
  ["m.example:80", "https://m.example", false],
  ["m.example:443", "http://m.example", false],
  ["*:80", "http://m.example", false],
  ["*x", "http://m.example", false],
  ["x*.m.example", "http://m.example", false],
  [".m.example:8000", "http://a.m.example:8000", true],
  ["..m.example", "http://m.example", false],
  ["[fd00::7]", "http://[fd00::7]", true],
  ["x[fd00::7]", "http://[fd00::7]", false],
  ["[fd00::7]x", "http://[fd00::7]", false],
  ["fd00::7", "http://[fd00::8]", false],
  ["[fd00::7]:80", "http://[fd00::7]", true],
  ["10.0.0.4/30", "http://10.0.0.7", true],
  ["10.0.0.4/30", "http://10.0.0.8", false],
  ["10.0.0.4/30", "http://10.0.0.3", false],
  ["10.0.0.4/32", "http://10.0.0.4", true],
  ["10.0.0.4/32", "http://10.0.0.5", false],
  ["10.0.0.0/33", "http://10.0.0.0", false],
  ["10.0.0.0/", "http://10.0.0.0", false],
  ["10.0.0.0/8x", "http://10.0.0.1", false],
  ["10.0.0.0/x8", "http://10.0.0.1", false],
  ["10.0.0/8", "http://10.0.0.1", false],
  ["10.0.0.0.0/8", "http://10.0.0.1", false],
  ["10.0.0.0/8", "http://a.example", false],
  ["10.0.0.0/8:80", "http://10.0.0.1", true],
  ["", "https://m.example", false],
  [" , ", "https://m.example", false],
]

test("NO_PROXY supports names with subdomains, ports, addresses, IPv4 networks and *", () => {
  for (const [list, address, goes] of around) {
    const env = { ALL_PROXY: "http://a:1", no_proxy: list }
    assert.equal(name(address, env) === null, goes, `${list} and ${address}`)
  }
})

test("an invalid proxy is rejected with its variable, not its value", () => {
  for (const value of ["ftp://secret:pw@a:1", "http://", "http://secret%zz@a", "://secret"]) {
    const failing = () => proxyFor(new URL("https://m.example"), { https_proxy: value })
    assert.throws(failing, (error) => {
      assert.ok(error instanceof FailureError)
      const { message, kind, retryable } = error.failure
      assert.deepEqual([kind, retryable], ["network", false])
      assert.equal(message, "https_proxy names no proxy; write http://HOST:PORT or socks5://HOST:PORT")
      return true
    })
  }
})
