import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

/** Faults of a stand-in. Each is off by default. */
export interface OAuthFaults {
  /** `iss` of the return; null leaves it out although it is advertised. */
  iss?: string | null
  /** `state` of the return. */
  state?: string
  /** `issuer` of the metadata. */
  issuer?: string
  /** `resource` of the protected resource's metadata. */
  resource?: string
  /** `authorization_endpoint`. */
  authorizationEndpoint?: string
  /** `token_endpoint`. */
  tokenEndpoint?: string
  /** The return says that the user has refused. */
  refused?: boolean
  /** The token endpoint answers with this status. */
  tokenStatus?: number
  /** A refresh is refused with invalid_grant. */
  refreshRefused?: boolean
  /** Seconds for which tokens are valid. */
  expiresIn?: number
  /** The server answers calls with a redirect to this address. */
  redirectTo?: string
  /** PKCE is not advertised. */
  noPkce?: boolean
  /** Milliseconds before the token endpoint answers. */
  tokenDelay?: number
}

export interface OAuthServer {
  /** Of the MCP server. */
  readonly url: string
  readonly faults: OAuthFaults
  /** Requests, as `POST /token grant_type=...`. */
  readonly seen: string[]
  /** The tokens that reached the MCP server. */
  readonly tokens: (string | undefined)[]
  /** What a browser does with the address of a login: the address that it is sent back to. */
  browse(address: URL): URL
  /** Makes all access tokens invalid. */
  expire(): void
  close(): Promise<void>
}

/** What the stand-in knows. */
interface State {
  readonly origin: string
  readonly faults: OAuthFaults
  readonly seen: string[]
  readonly tokens: (string | undefined)[]
  readonly codes: Map<string, { readonly challenge: string; readonly scope: string }>
  /** Scopes by access token, and by refresh token. */
  readonly valid: Map<string, string>
  readonly refreshable: Map<string, string>
  count: number
}

type Send = (status: number, value: unknown, headers?: Record<string, string>) => void

/** An MCP server of revision 2025-11-25 over HTTP behind an authorization server, both on one port of this machine. */
export async function startOAuthServer(faults: OAuthFaults = {}): Promise<OAuthServer> {
  const { createServer } = process.getBuiltinModule("node:http")
  const server = createServer((request, response) => {
    answer(state, request, response).catch((error: unknown) => {
      response.writeHead(500)
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`
  const empty = { seen: [], tokens: [], codes: new Map(), valid: new Map(), refreshable: new Map(), count: 0 }
  const state: State = { origin, faults, ...empty }
  return {
    url: `${origin}/mcp`,
    faults,
    seen: state.seen,
    tokens: state.tokens,
    browse: (login) => browse(state, login),
    expire: () => state.valid.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function browse(state: State, { searchParams }: URL): URL {
  const { faults, origin } = state
  const code = `code-${(state.count += 1)}`
  const scope = searchParams.get("scope") ?? "read"
  state.codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", scope })
  const back = new URL(searchParams.get("redirect_uri") ?? "http://127.0.0.1/")
  back.searchParams.set("state", faults.state ?? searchParams.get("state") ?? "")
  if (faults.refused === true) back.searchParams.set("error", "access_denied")
  else back.searchParams.set("code", code)
  if (faults.iss !== null) back.searchParams.set("iss", faults.iss ?? origin)
  return back
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { origin, faults } = state
  const { pathname } = new URL(request.url ?? "/", origin)
  let body = ""
  for await (const piece of request) body += String(piece)
  const send: Send = (status, value, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(value === undefined ? "" : JSON.stringify(value))
  }
  state.seen.push(`${request.method} ${pathname} ${pathname === "/token" ? body : ""}`.trim())
  switch (pathname) {
    case "/.well-known/oauth-protected-resource/mcp": {
      const resource = faults.resource ?? `${origin}/mcp`
      return send(200, { resource, authorization_servers: [origin], scopes_supported: ["read"] })
    }
    case "/.well-known/oauth-authorization-server":
      return send(200, metadataOf(state))
    case "/register":
      return send(201, { client_id: "client-1", ...(JSON.parse(body) as object) })
    case "/token":
      if (faults.tokenDelay !== undefined) await new Promise((resolve) => setTimeout(resolve, faults.tokenDelay))
      return token(state, new URLSearchParams(body), send)
    case "/mcp":
      return mcp(state, request, body, send)
    default:
      return send(404, { error: "not found" })
  }
}

function metadataOf({ origin, faults }: State): object {
  return {
    issuer: faults.issuer ?? origin,
    authorization_endpoint: faults.authorizationEndpoint ?? `${origin}/authorize`,
    token_endpoint: faults.tokenEndpoint ?? `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    ...(faults.noPkce !== true && { code_challenge_methods_supported: ["S256"] }),
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  }
}

function token(state: State, form: URLSearchParams, send: Send): void {
  const { faults, codes, refreshable } = state
  if (faults.tokenStatus !== undefined) return send(faults.tokenStatus, { error: "server_error" })
  if (form.get("grant_type") === "refresh_token") {
    const refresh = form.get("refresh_token") ?? ""
    const scope = refreshable.get(refresh)
    if (scope === undefined || faults.refreshRefused === true) return send(400, { error: "invalid_grant" })
    // Rotated: the old one is worth nothing.
    refreshable.delete(refresh)
    return send(200, issued(state, scope))
  }
  const code = codes.get(form.get("code") ?? "")
  const verifier = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url")
  if (code === undefined || code.challenge !== verifier) return send(400, { error: "invalid_grant" })
  codes.delete(form.get("code") ?? "")
  return send(200, issued(state, code.scope))
}

function issued(state: State, scope: string): object {
  const access = `access-${(state.count += 1)}`
  const refresh = `refresh-${state.count}`
  state.valid.set(access, scope)
  state.refreshable.set(refresh, scope)
  const expires = state.faults.expiresIn ?? 3600
  return { access_token: access, refresh_token: refresh, token_type: "Bearer", expires_in: expires, scope }
}

function mcp({ origin, faults, tokens, valid }: State, request: IncomingMessage, body: string, send: Send): void {
  if (faults.redirectTo !== undefined) return send(302, undefined, { location: faults.redirectTo })
  const given = request.headers.authorization?.replace(/^Bearer /, "")
  tokens.push(given)
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
  if (!valid.has(given ?? ""))
    return send(401, { error: "invalid_token" }, { "www-authenticate": `Bearer ${metadata}` })
  if (request.method !== "POST") return send(405, {})
  const { id, method, params } = JSON.parse(body) as { id?: unknown; method: string; params?: { name?: string } }
  if (id === undefined) return send(202, undefined)
  const reply = (result: unknown): void => send(200, { jsonrpc: "2.0", id, result })
  switch (method) {
    case "initialize": {
      const serverInfo = { name: "guarded", version: "1" }
      return reply({ protocolVersion: "2025-11-25", serverInfo, capabilities: { tools: {} } })
    }
    case "tools/list": {
      const inputSchema = { type: "object", properties: {} }
      return reply({ tools: [{ name: "secret", description: "A secret.", inputSchema }] })
    }
    case "tools/call":
      return reply({ content: [{ type: "text", text: `the secret of ${params?.name}` }] })
    default:
      return send(200, { jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } })
  }
}
