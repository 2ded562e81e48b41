import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

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
  /** Tokens are valid only with this scope; other tokens get 403 insufficient_scope. */
  neededScope?: string
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

/** An MCP server of revision 2025-11-25 over HTTP behind an authorization server, both on one port of this machine. */
export async function startOAuthServer(faults: OAuthFaults = {}): Promise<OAuthServer> {
  const seen: string[] = []
  const tokens: (string | undefined)[] = []
  const codes = new Map<string, { readonly challenge: string; readonly scope: string }>()
  const valid = new Map<string, string>()
  const refreshable = new Map<string, string>()
  let count = 0
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500)
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`
  const issue = (scope: string): object => {
    const access = `access-${(count += 1)}`
    const refresh = `refresh-${count}`
    valid.set(access, scope)
    refreshable.set(refresh, scope)
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: "Bearer",
      expires_in: faults.expiresIn ?? 3600,
      scope,
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", origin)
    let body = ""
    for await (const piece of request) body += String(piece)
    const send = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(value === undefined ? "" : JSON.stringify(value))
    }
    seen.push(`${request.method} ${pathname} ${pathname === "/token" ? body : ""}`.trim())
    if (pathname === "/.well-known/oauth-protected-resource/mcp")
      return send(200, {
        resource: faults.resource ?? `${origin}/mcp`,
        authorization_servers: [origin],
        scopes_supported: ["read"],
      })
    if (pathname === "/.well-known/oauth-authorization-server")
      return send(200, {
        issuer: faults.issuer ?? origin,
        authorization_endpoint: faults.authorizationEndpoint ?? `${origin}/authorize`,
        token_endpoint: faults.tokenEndpoint ?? `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        ...(faults.noPkce !== true && { code_challenge_methods_supported: ["S256"] }),
        token_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
      })
    if (pathname === "/register") return send(201, { client_id: "client-1", ...JSON.parse(body) })
    if (pathname === "/token") {
      if (faults.tokenDelay !== undefined) await new Promise((resolve) => setTimeout(resolve, faults.tokenDelay))
      return token(new URLSearchParams(body), send)
    }
    if (pathname === "/mcp") return mcp(request, body, send)
    return send(404, { error: "not found" })
  }

  type Send = (status: number, value: unknown, headers?: Record<string, string>) => void

  function token(form: URLSearchParams, send: Send): void {
    if (faults.tokenStatus !== undefined) return send(faults.tokenStatus, { error: "server_error" })
    if (form.get("grant_type") === "refresh_token") {
      const refresh = form.get("refresh_token") ?? ""
      const scope = refreshable.get(refresh)
      if (scope === undefined || faults.refreshRefused === true) return send(400, { error: "invalid_grant" })
      // Rotated: the old one is worth nothing.
      refreshable.delete(refresh)
      return send(200, issue(scope))
    }
    const code = codes.get(form.get("code") ?? "")
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (code === undefined || code.challenge !== verifier) return send(400, { error: "invalid_grant" })
    codes.delete(form.get("code") ?? "")
    return send(200, issue(code.scope))
  }

  function mcp(request: IncomingMessage, body: string, send: Send): void {
    if (faults.redirectTo !== undefined) return send(302, undefined, { location: faults.redirectTo })
    const given = request.headers.authorization?.replace(/^Bearer /, "")
    tokens.push(given)
    const scope = valid.get(given ?? "")
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
    if (scope === undefined) return send(401, { error: "invalid_token" }, { "www-authenticate": `Bearer ${metadata}` })
    if (request.method !== "POST") return send(405, {})
    const { id, method, params } = JSON.parse(body) as { id?: unknown; method: string; params?: { name?: string } }
    const { neededScope } = faults
    if (method === "tools/call" && neededScope !== undefined && !scope.split(" ").includes(neededScope))
      return send(
        403,
        {},
        { "www-authenticate": `Bearer error="insufficient_scope", scope="${neededScope}", ${metadata}` },
      )
    if (id === undefined) return send(202, undefined)
    const reply = (result: unknown): void => send(200, { jsonrpc: "2.0", id, result })
    if (method === "initialize")
      return reply({
        protocolVersion: "2025-11-25",
        serverInfo: { name: "guarded", version: "1" },
        capabilities: { tools: {} },
      })
    if (method === "tools/list")
      return reply({
        tools: [{ name: "secret", description: "A secret.", inputSchema: { type: "object", properties: {} } }],
      })
    if (method === "tools/call") return reply({ content: [{ type: "text", text: `the secret of ${params?.name}` }] })
    return send(200, { jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } })
  }

  return {
    url: `${origin}/mcp`,
    faults,
    seen,
    tokens,
    browse(login) {
      const { searchParams } = login
      const code = `code-${(count += 1)}`
      codes.set(code, {
        challenge: searchParams.get("code_challenge") ?? "",
        scope: searchParams.get("scope") ?? "read",
      })
      const back = new URL(searchParams.get("redirect_uri") ?? "http://127.0.0.1/")
      back.searchParams.set("state", faults.state ?? searchParams.get("state") ?? "")
      if (faults.refused === true) back.searchParams.set("error", "access_denied")
      else back.searchParams.set("code", code)
      if (faults.iss !== null) back.searchParams.set("iss", faults.iss ?? origin)
      return back
    },
    expire: () => valid.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
