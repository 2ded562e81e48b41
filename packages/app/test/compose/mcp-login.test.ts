import assert from "node:assert/strict"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { scriptedProvider } from "@gong/llm/scripted"
import { type OAuthFaults, type OAuthServer, startOAuthServer } from "@gong/testing/mcp/oauth-server"
import { openSession } from "../../src/compose/open-session.ts"
import { systemClock } from "../../src/ports.ts"
import { servicesOf } from "./services.ts"

// The login at an MCP server, against a stand-in for it and its authorization server. One login listens on this machine at a
// time, so the tests of this file run one after the other.

interface Place {
  readonly server: OAuthServer
  readonly home: string
  /** The addresses that the user was shown. */
  readonly shown: URL[]
  open(): ReturnType<typeof opened>
}

async function place(t: TestContext, faults: OAuthFaults = {}): Promise<Place> {
  const server = await startOAuthServer(faults)
  t.after(() => server.close())
  const services = servicesOf(t)
  const home = services.env["GONG_HOME"] ?? ""
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(join(home, "mcp.json"), JSON.stringify({ mcpServers: { guarded: { url: server.url } } }))
  const shown: URL[] = []
  return { server, home, shown, open: () => opened(t, { server, shown, services }) }
}

interface Opening {
  readonly server: OAuthServer
  readonly shown: URL[]
  readonly services: ReturnType<typeof servicesOf>
}

/** A session whose user opens each address of a login in a browser. */
async function opened(t: TestContext, { server, shown, services }: Opening) {
  const call = { calls: [{ name: "guarded__secret", arguments: {} }] }
  const provider = scriptedProvider([call, { text: "done" }], { clock: systemClock })
  const built = await openSession({ permission: "full" }, { ...services }, { provider })
  assert.ok(built.ok)
  const session = built.value
  t.after(async () => session.shutdown())
  session.session.subscribe((step) => {
    if (!("notification" in step) || step.notification.code !== "mcp") return
    const [address] = /https?:\S+/.exec(step.notification.text) ?? []
    if (address === undefined) return
    shown.push(new URL(address))
    fetch(server.browse(new URL(address))).catch(() => undefined)
  })
  const { signal } = new AbortController()
  return {
    ...session,
    login: () => session.mcp.login("guarded", AbortSignal.any([signal, AbortSignal.timeout(2_000)])),
    start: () => session.mcp.start("guarded", signal),
    /** The result of the tool, as the model sees it. */
    async call(): Promise<string> {
      await session.session.prompt("go")
      const answer = provider.requests.at(-1)?.messages.findLast((message) => message.role === "tool")
      return JSON.stringify(answer?.content)
    },
  }
}

function stored(home: string): Record<string, { readonly tokens: Record<string, unknown> | null }> {
  const file = JSON.parse(readFileSync(join(home, "auth.json"), "utf8")) as { mcp: Record<string, never> }
  return file.mcp
}

test("a login: discovery, registration, PKCE, the resource, tokens for one server in a private file, and a call with them", async (t) => {
  const { server, home, shown, open } = await place(t)
  const app = await open()
  await assert.rejects(app.start(), /requires a login/)
  assert.equal(shown.length, 0, "a start begins no login")
  await app.login()
  const [address] = shown
  assert.equal(address?.searchParams.get("resource"), server.url)
  assert.equal(address?.searchParams.get("code_challenge_method"), "S256")
  const login = stored(home)[server.url]
  assert.equal(login?.tokens?.["access_token"], server.tokens.at(-1))
  assert.equal(statSync(join(home, "auth.json")).mode & 0o077, 0)
  const next = await open()
  assert.match(await next.call(), /the secret of secret/)
})

const refused: Readonly<Record<string, readonly [OAuthFaults, RegExp]>> = {
  "another issuer in the return": [{ iss: "https://evil.example" }, /iss/i],
  "no issuer in the return, although it was announced": [{ iss: null }, /iss/i],
  "another issuer in the metadata": [{ issuer: "https://evil.example" }, /issuer/i],
  "another resource in the metadata": [{ resource: "https://evil.example/mcp" }, /resource/i],
  "no PKCE": [{ noPkce: true }, /PKCE|code challenge|S256/i],
  "the user refuses": [{ refused: true }, /access_denied/],
  "the return has another state": [{ state: "forged" }, /abort|timeout/i],
  "an address of a login that is no web address": [{ authorizationEndpoint: "javascript:alert(1)" }, /./],
  "an address of a login for a shell": [{ authorizationEndpoint: "file:///$(touch /tmp/gong-owned)" }, /./],
  "tokens without TLS at another machine": [{ tokenEndpoint: "http://192.0.2.1/token" }, /./],
  "the token endpoint fails": [{ tokenStatus: 500 }, /./],
}

for (const [what, [faults, reason]] of Object.entries(refused))
  test(`a login is refused, and nothing is stored: ${what}`, async (t) => {
    const { server, home, open } = await place(t, faults)
    const app = await open()
    await assert.rejects(app.login(), reason)
    assert.deepEqual(
      server.tokens.filter((token) => token !== undefined),
      [],
      "no token was sent",
    )
    assert.throws(() => stored(home)[server.url]?.tokens?.["access_token"] ?? assert.fail("nothing"))
  })

test("a token is refreshed before it expires, once for concurrent sessions", async (t) => {
  const { server, home, open } = await place(t, { expiresIn: 30, tokenDelay: 100 })
  const app = await open()
  await app.login()
  server.faults.expiresIn = 3600
  const refreshes = (): number => server.seen.filter((line) => line.includes("grant_type=refresh_token")).length
  const before = refreshes()
  // Each has its own services, as in processes of their own.
  const others = await Promise.all([open(), open(), open()])
  await Promise.all(others.map((other) => other.start()))
  assert.equal(refreshes() - before, 1)
  assert.equal(stored(home)[server.url]?.tokens?.["access_token"], server.tokens.at(-1))
})

test("a token that the server refuses is refreshed; a refused refresh asks for a login, a failed one keeps it", async (t) => {
  const { server, home, open } = await place(t)
  const app = await open()
  await app.login()
  server.expire()
  const second = await open()
  await second.start()
  server.expire()
  server.faults.tokenStatus = 503
  await assert.rejects((await open()).start(), /requires a login/)
  assert.notEqual(stored(home)[server.url]?.tokens, null)
  delete server.faults.tokenStatus
  await (await open()).start()
  server.expire()
  server.faults.refreshRefused = true
  await assert.rejects((await open()).start(), /requires a login/)
  assert.equal(stored(home)[server.url]?.tokens, null)
})

test("a token reaches its own server alone: a redirect is not followed", async (t) => {
  const elsewhere = await startOAuthServer()
  t.after(() => elsewhere.close())
  const { server, open } = await place(t)
  const app = await open()
  await app.login()
  server.faults.redirectTo = elsewhere.url
  await assert.rejects((await open()).start())
  assert.deepEqual(elsewhere.seen, [])
})

test("a public server cannot lead Gong to an address on this machine; a private one may", async (t) => {
  const services = servicesOf(t)
  const { server } = await place(t)
  const { networkOf } = await import("../../src/compose/mcp/endpoint.ts")
  const { readConfig } = await import("../../src/compose/config.ts")
  const config = await readConfig(services, {})
  assert.ok(config.ok)
  const options = { services, config: config.value } as Parameters<typeof networkOf>[0]
  const request = { url: server.url, method: "GET", headers: {}, body: [], signal: AbortSignal.timeout(2_000) } as const
  for (const address of ["https://mcp.example.com/", "https://8.8.8.8/", "https://[2001:4860:4860::8888]/"]) {
    const network = networkOf(options, new URL(address))
    await assert.rejects(network.elsewhere.send(request), /private network/, address)
    network.close()
  }
  const near = networkOf(options, new URL("http://127.0.0.1:1/"))
  assert.equal((await near.elsewhere.send(request)).status, 401)
  near.close()
})
