import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "@gong/testing/sim/clock"
import { login, type LoginDeps } from "../../src/oauth/login.ts"
import type { StoredLogin } from "../../src/oauth/stored-login.ts"

const now = 1_000_000
const redirect = "http://127.0.0.1:41127/callback"

interface Options {
  readonly before?: StoredLogin | null
  readonly client?: LoginDeps["client"]
  readonly challenge?: LoginDeps["challenge"]
  /** Fields of the authorization server's metadata. */
  readonly metadata?: object
  /** What the browser returns with. */
  readonly returned?: Readonly<Record<string, string>>
  readonly tokens?: object
  /** Errors with which the first requests for tokens are refused. */
  readonly refusals?: readonly string[]
}

/** A login at a server whose authorization server is played here. */
async function played(given: Options = {}) {
  const {
    before = null,
    client = {},
    challenge = {},
    metadata = {},
    returned = { code: "c", iss: "https://auth.example" },
    tokens = {},
    refusals = [],
  } = given
  const refused = [...refusals]
  const asked: string[] = []
  const shown: URL[] = []
  const states: string[] = []
  let stored = before
  const answers: Readonly<Record<string, object>> = {
    "https://a.example/.well-known/oauth-protected-resource/mcp": {
      resource: "https://a.example/mcp",
      authorization_servers: ["https://auth.example"],
    },
    "https://auth.example/.well-known/oauth-authorization-server": {
      issuer: "https://auth.example",
      authorization_endpoint: "https://auth.example/authorize",
      token_endpoint: "https://auth.example/token",
      registration_endpoint: "https://auth.example/register",
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["plain", "S256"],
      ...metadata,
    },
    "https://auth.example/register": { client_id: "registered", redirect_uris: [redirect] },
    "https://auth.example/token": { access_token: "new", token_type: "Bearer", expires_in: 60, ...tokens },
  }
  const done = login({
    server: new URL("https://a.example/mcp"),
    clock: manualClock(now),
    store: {
      read: async () => stored,
      async update(work) {
        const next = await work(stored)
        if (next !== undefined) stored = next
        return stored
      },
    },
    async fetch(url, init) {
      const body =
        init?.body instanceof URLSearchParams ? init.body.toString() : typeof init?.body === "string" ? init.body : ""
      asked.push(`${String(url)} ${body}`.trim())
      const error = String(url) === "https://auth.example/token" ? refused.shift() : undefined
      if (error !== undefined) return Response.json({ error }, { status: 400 })
      const answer = answers[String(url)]
      return answer === undefined ? new Response("", { status: 404 }) : Response.json(answer)
    },
    callback: {
      url: redirect,
      async wait(state) {
        states.push(state)
        return new URLSearchParams(returned)
      },
    },
    client,
    challenge,
    state: "unpredictable",
    show: async (address) => void shown.push(address),
    signal: new AbortController().signal,
  })
  const problem = await done.then(
    () => null,
    (error: Error) => error.message,
  )
  return {
    problem,
    shown: shown[0],
    states,
    asked,
    stored: () => stored,
    body: (path: string) =>
      asked
        .find((one) => one.startsWith(`https://auth.example/${path} `))
        ?.split(" ")
        .slice(1)
        .join(" ") ?? "",
  }
}

const stored = (more: Partial<StoredLogin> = {}): StoredLogin => ({
  issuer: "https://auth.example",
  metadata: null,
  resource: null,
  client: { client_id: "earlier", redirect_uris: [redirect] } as StoredLogin["client"],
  tokens: { access_token: "old", token_type: "Bearer", scope: "one" },
  expiresAt: null,
  ...more,
})

test("a login registers a client, shows the address, and stores the tokens with all that a refresh needs", async () => {
  const { problem, shown, states, stored: login_, body } = await played()
  assert.equal(problem, null)
  const parameters = Object.fromEntries(shown?.searchParams ?? [])
  const { code_challenge: challenge, ...plain } = parameters
  assert.match(challenge ?? "", /^[\w-]{43}$/)
  assert.deepEqual(plain, {
    response_type: "code",
    client_id: "registered",
    code_challenge_method: "S256",
    redirect_uri: redirect,
    state: "unpredictable",
    resource: "https://a.example/mcp",
  })
  assert.deepEqual(states, ["unpredictable"])
  // The client library adds the type of the application.
  const { application_type: _, ...registered } = JSON.parse(body("register")) as Readonly<Record<string, unknown>>
  assert.deepEqual(registered, {
    client_name: "Gong",
    redirect_uris: [redirect],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  })
  assert.match(body("token"), /grant_type=authorization_code.*code=c/)
  const found = login_()
  assert.ok(found)
  assert.deepEqual(
    [found.issuer, found.resource, found.client.client_id, found.tokens?.access_token, found.expiresAt],
    ["https://auth.example", "https://a.example/mcp", "registered", "new", now + 60_000],
  )
  assert.equal(found.metadata?.token_endpoint, "https://auth.example/token")
})

test("the scope is that of the configuration, or that of the challenge with the granted one", async () => {
  const scopeOf = async (options: Options) => (await played(options)).shown?.searchParams.get("scope")
  assert.equal(await scopeOf({ client: { scopes: ["a", "b"] } }), "a b")
  assert.deepEqual(
    (await scopeOf({ before: stored(), challenge: { scope: "two" }, client: { scopes: ["a"] } }))
      ?.split(" ")
      .toSorted(),
    ["one", "two"],
  )
  assert.equal(await scopeOf({ challenge: { scope: "two" } }), "two")
  assert.match((await played({ client: { scopes: ["a", "b"] } })).body("register"), /"scope":"a b"/)
})

test("a configured client, or one that is registered with this address, is used; another one is registered", async () => {
  const clientOf = async (options: Options) => {
    const { shown, asked, body } = await played(options)
    return [
      shown?.searchParams.get("client_id"),
      asked.some((one) => one.includes("/register")),
      body("token").includes("secret"),
    ]
  }
  assert.deepEqual(await clientOf({ client: { clientId: "own" } }), ["own", false, false])
  assert.deepEqual(
    await clientOf({
      client: { clientId: "own", clientSecret: "secret" },
      metadata: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
    }),
    ["own", false, true],
  )
  assert.deepEqual(await clientOf({ before: stored() }), ["earlier", false, false])
  const elsewhere = { client_id: "earlier", redirect_uris: ["http://127.0.0.1:9/callback"] } as StoredLogin["client"]
  assert.deepEqual(await clientOf({ before: stored({ client: elsewhere }) }), ["registered", true, false])
  assert.deepEqual(await clientOf({ before: stored({ client: { client_id: "bare" } }) }), ["registered", true, false])
})

test("a return with an error or without a code fails, and leaves what was stored", async () => {
  for (const [returned, problem] of [
    [{ error: "access_denied" }, "the login failed (access_denied)"],
    [{ error: "x", error_description: "why" }, "the login failed (x: why)"],
    [{ error: "x".repeat(400) }, `the login failed (${"x".repeat(300)})`],
    [{}, "the login failed (no code was returned)"],
  ] as const) {
    const before = stored()
    const failed = await played({ before, returned })
    assert.deepEqual([failed.problem, failed.stored()], [problem, before])
  }
})

test("an authorization server without PKCE, or with an address of another kind, is refused", async () => {
  for (const methods of [["plain"], undefined]) {
    const { problem, shown } = await played({ metadata: { code_challenge_methods_supported: methods } })
    assert.deepEqual(
      [problem, shown],
      ["the login failed (its authorization server does not support PKCE with S256)", undefined],
    )
  }
  const script = await played({ metadata: { authorization_endpoint: "ssh://auth.example/authorize" } })
  assert.equal(script.shown, undefined)
  assert.match(script.problem ?? "", /ssh: is no address of a login/)
})

test("tokens without an end are stored without one", async () => {
  assert.equal((await played({ tokens: { expires_in: undefined } })).stored()?.expiresAt, null)
})

test("an address of client metadata takes the place of a registration where the server supports it", async () => {
  const client = { clientMetadataUrl: "https://gong.example/client.json" }
  const supported = await played({ client, metadata: { client_id_metadata_document_supported: true } })
  assert.deepEqual([supported.problem, supported.body("register")], [null, ""])
  assert.equal(supported.shown?.searchParams.get("client_id"), client.clientMetadataUrl)
  const unsupported = await played({ client })
  assert.equal(unsupported.shown?.searchParams.get("client_id"), "registered")
  const none = await played({ metadata: { client_id_metadata_document_supported: true } })
  assert.equal(none.shown?.searchParams.get("client_id"), "registered")
})

test("a server that does not know the client gets the configured one once more; one of an earlier login is forgotten", async () => {
  const tokenRequests = (asked: readonly string[]) =>
    asked.filter((one) => one.startsWith("https://auth.example/token ")).length
  const refusals = ["invalid_client"]
  const own = await played({ client: { clientId: "own" }, refusals })
  assert.deepEqual([own.problem, tokenRequests(own.asked), own.stored()?.client.client_id], [null, 2, "own"])
  const before = stored()
  const earlier = await played({ before, refusals })
  assert.deepEqual([tokenRequests(earlier.asked), earlier.stored()], [1, before])
  assert.notEqual(earlier.problem, null)
  const grant = await played({ before, refusals: ["invalid_grant"] })
  assert.deepEqual([grant.problem, tokenRequests(grant.asked)], [null, 2], "a refused code is no reason to forget it")
})

test("a return that names another authorization server is refused", async () => {
  const before = stored()
  const other = await played({ before, returned: { code: "c", iss: "https://evil.example" } })
  assert.notEqual(other.problem, null)
  assert.deepEqual([other.body("token"), other.stored()], ["", before])
  assert.equal((await played({ returned: { code: "c" } })).problem, null)
})
