import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { LoginNeeded } from "../../src/oauth/login-needed.ts"
import { expiryOf, type StoredLogin } from "../../src/oauth/stored-login.ts"
import { sessionTokens } from "../../src/oauth/tokens.ts"

const now = 1_000_000

const stored = (more: Partial<StoredLogin> = {}): StoredLogin => ({
  issuer: "https://auth.example",
  metadata: null,
  resource: "https://a.example/mcp",
  client: { client_id: "c" },
  tokens: { access_token: "old", token_type: "Bearer", refresh_token: "r" },
  expiresAt: now + 60_000,
  ...more,
})

/** Tokens of a stored login, at an authorization server that answers every refresh in the same way. */
function tokensOf(login: StoredLogin | null, { status = 200, answer = {} }: { status?: number; answer?: object } = {}) {
  let current = login
  const sent: string[] = []
  const provider = sessionTokens({
    clock: manualClock(now),
    store: {
      read: async () => current,
      async update(work) {
        const next = await work(current)
        if (next !== undefined) current = next
        return current
      },
    },
    async fetch(url, init) {
      const body = init?.body instanceof URLSearchParams ? init.body.toString() : ""
      sent.push(`${init?.method} ${String(url)} ${body}`)
      const fresh = { access_token: "new", token_type: "Bearer", refresh_token: "r2", expires_in: 3_600, ...answer }
      return Response.json(status === 200 ? fresh : answer, { status })
    },
  })
  return { provider, sent, current: () => current, set: (next: StoredLogin | null) => void (current = next) }
}

const refused = () =>
  new Response(null, {
    status: 401,
    headers: { "www-authenticate": 'Bearer scope="s", resource_metadata="https://a.example/meta"' },
  })

test("tokens end after their number of seconds; without one it is not known", () => {
  assert.equal(expiryOf({ access_token: "a", token_type: "Bearer", expires_in: 2 }, 1_000), 3_000)
  assert.equal(expiryOf({ access_token: "a", token_type: "Bearer" }, 1_000), null)
})

test("a token is refreshed from a minute before its end, and only where it can be", async () => {
  const { tokens } = stored()
  for (const [login, token] of [
    [stored(), "old"],
    [stored({ expiresAt: now + 59_999 }), "new"],
    [stored({ expiresAt: now - 1 }), "new"],
    [stored({ expiresAt: null }), "old"],
    [stored({ expiresAt: 0, tokens: { access_token: "old", token_type: "Bearer" } }), "old"],
    [stored({ expiresAt: 0, tokens: null }), undefined],
    [null, undefined],
  ] as const) {
    const { provider, sent, current } = tokensOf(login)
    assert.equal(await provider.token(), token)
    assert.equal(sent.length, token === "new" ? 1 : 0)
    if (token !== "new") continue
    assert.match(sent[0] ?? "", /^POST https:\/\/auth\.example\/token .*refresh_token=r\b.*resource=https/)
    assert.deepEqual(current(), {
      ...login,
      tokens: {
        ...tokens,
        access_token: "new",
        refresh_token: "r2",
        expires_in: 3_600,
        issuer: "https://auth.example",
      },
      expiresAt: now + 3_600_000,
    })
  }
})

test("a login without a resource is refreshed without one", async () => {
  const { provider, sent } = tokensOf(stored({ expiresAt: 0, resource: null }))
  assert.equal(await provider.token(), "new")
  assert.doesNotMatch(sent[0] ?? "", /resource=/)
})

test("only the refusal of the refresh token ends a login", async () => {
  for (const [status, error, ends] of [
    [400, "invalid_grant", true],
    [400, "temporarily_unavailable", false],
    [500, "server_error", false],
  ] as const) {
    const login = stored({ expiresAt: 0 })
    const { provider, current } = tokensOf(login, { status, answer: { error } })
    assert.equal(await provider.token(), ends ? undefined : "old")
    assert.deepEqual(current(), ends ? { ...login, tokens: null, expiresAt: null } : login)
  }
})

test("a refused token is refreshed once; without another token a login is needed", async () => {
  const server = { serverUrl: new URL("https://a.example/mcp"), fetchFn: fetch }
  const needed = (error: unknown) => {
    assert.ok(error instanceof LoginNeeded)
    assert.deepEqual(
      [error.challenge.scope, error.challenge.resourceMetadataUrl?.href],
      ["s", "https://a.example/meta"],
    )
    return true
  }
  const works = tokensOf(stored())
  await works.provider.token()
  await works.provider.onUnauthorized?.({ response: refused(), ...server })
  assert.deepEqual([works.sent.length, await works.provider.token()], [1, "new"])

  // Another process has refreshed it meanwhile.
  const other = tokensOf(stored())
  await other.provider.token()
  other.set(stored({ tokens: { access_token: "others", token_type: "Bearer", refresh_token: "r" } }))
  await other.provider.onUnauthorized?.({ response: refused(), ...server })
  assert.equal(other.sent.length, 0)

  for (const login of [
    null,
    stored({ tokens: null }),
    stored({ tokens: { access_token: "old", token_type: "Bearer" } }),
  ]) {
    const { provider, sent } = tokensOf(login)
    await provider.token()
    await assert.rejects(async () => provider.onUnauthorized?.({ response: refused(), ...server }), needed)
    assert.equal(sent.length, 0)
  }
  const same = tokensOf(stored(), { answer: { access_token: "old" } })
  await same.provider.token()
  await assert.rejects(async () => same.provider.onUnauthorized?.({ response: refused(), ...server }), needed)
})
