import {
  auth,
  computeScopeUnion,
  type FetchLike,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
} from "@modelcontextprotocol/client"
import { type Clock, failure, FailureError, phrase } from "@gong/spec"
import type { LoginChallenge } from "./login-needed.ts"
import { expiryOf, type LoginStore, type StoredLogin } from "./stored-login.ts"

/** What the configuration says about a client. All of it may be absent. */
export interface ClientOptions {
  readonly clientId?: string
  readonly clientSecret?: string
  /** An https address of the client's metadata, used in place of a registration where the server supports it. */
  readonly clientMetadataUrl?: string
  readonly scopes?: readonly string[]
}

/** Where the browser returns to. */
export interface Callback {
  /** The redirect address, on this machine. */
  readonly url: string
  /** The parameters of the return whose `state` is this one. Rejects if the signal aborts. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>
}

export interface LoginDeps {
  readonly server: URL
  readonly store: LoginStore
  readonly fetch: FetchLike
  readonly clock: Clock
  readonly callback: Callback
  readonly client: ClientOptions
  /** Its scope is requested in addition to the one that was granted. */
  readonly challenge: LoginChallenge
  /** Unpredictable text. */
  readonly state: string
  /** Shows the address of the login to the user; http and https only. */
  show(address: URL): Promise<void>
  readonly signal: AbortSignal
}

/** Logs in at a server and stores the tokens. Rejects with a reason for people. */
export async function login(deps: LoginDeps): Promise<void> {
  const { server, store, fetch: fetchFn, callback, state, signal } = deps
  const before = await store.read()
  const { scope: wanted, resourceMetadataUrl } = deps.challenge
  const granted = before?.tokens?.scope
  const scope = wanted === undefined ? deps.client.scopes?.join(" ") : computeScopeUnion(granted, wanted)
  const options = {
    serverUrl: server,
    fetchFn,
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  }
  const provider = providerFor(deps, before)
  const result = await auth(provider, { ...options, forceReauthorization: true })
  if (result === "AUTHORIZED") return
  const returned = await callback.wait(state, signal)
  const problem = returned.get("error")
  if (problem !== null) throw denied(problem, returned.get("error_description"))
  const authorizationCode = returned.get("code")
  if (authorizationCode === null) throw denied("no code was returned", null)
  const iss = returned.get("iss")
  await auth(provider, { ...options, authorizationCode, ...(iss !== null && { iss }) })
}

function denied(why: string, description: string | null): FailureError {
  const text = description === null ? why : `${why}: ${description}`
  return new FailureError(failure("denied", phrase`the login failed (${text.slice(0, 300)})`))
}

/** Kept in memory until the tokens are there: a login that fails leaves what was stored before. */
interface Progress {
  client: StoredOAuthClientInformation | undefined
  discovery: OAuthDiscoveryState | undefined
  resource: string | null
  verifier: string
}

function providerFor({ store, clock, callback, client, state, show }: LoginDeps, before: StoredLogin | null) {
  const progress: Progress = {
    client: configured(client) ?? registeredFor(callback.url, before),
    discovery: undefined,
    resource: null,
    verifier: "",
  }
  const { clientMetadataUrl } = client
  const provider: OAuthClientProvider = {
    redirectUrl: callback.url,
    clientMetadata: metadataOf(callback.url, client),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    state: () => state,
    clientInformation: () => progress.client,
    saveClientInformation: (info) => void (progress.client = info),
    tokens: () => undefined,
    async saveTokens(tokens, context) {
      const { client: info, discovery, resource } = progress
      if (info === undefined) throw new Error("tokens came before a client")
      const issuer = context?.issuer ?? tokens.issuer ?? discovery?.authorizationServerUrl ?? ""
      const metadata = discovery?.authorizationServerMetadata ?? null
      const expiresAt = expiryOf(tokens, clock.now())
      await store.update(() => Promise.resolve({ issuer, metadata, resource, client: info, tokens, expiresAt }))
    },
    async redirectToAuthorization(address) {
      if (address.protocol !== "https:" && address.protocol !== "http:")
        throw denied(`${address.protocol} is no address of a login`, null)
      await show(address)
    },
    saveCodeVerifier: (verifier) => void (progress.verifier = verifier),
    codeVerifier: () => progress.verifier,
    saveResourceUrl: (resource) => void (progress.resource = resource),
    saveDiscoveryState(found) {
      checkPkce(found)
      progress.discovery = found
    },
    discoveryState: () => progress.discovery,
    invalidateCredentials(scope) {
      if (scope === "all" || scope === "client") progress.client = configured(client)
      if (scope === "all" || scope === "discovery") progress.discovery = undefined
    },
  }
  return provider
}

/** Without it a code that somebody intercepts is enough for tokens (MCP authorization, "Authorization Code Protection"). */
function checkPkce({ authorizationServerMetadata: metadata }: OAuthDiscoveryState): void {
  if (metadata !== undefined && metadata.code_challenge_methods_supported?.includes("S256") !== true)
    throw denied("its authorization server does not support PKCE with S256", null)
}

function configured({ clientId, clientSecret }: ClientOptions): StoredOAuthClientInformation | undefined {
  if (clientId === undefined) return undefined
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
}

/** The client of an earlier login, if it is registered with this redirect address. */
function registeredFor(redirect: string, before: StoredLogin | null): StoredOAuthClientInformation | undefined {
  const client = before?.client
  return client !== undefined && "redirect_uris" in client && client.redirect_uris.includes(redirect)
    ? client
    : undefined
}

function metadataOf(redirect: string, { scopes }: ClientOptions): OAuthClientMetadata {
  return {
    client_name: "Gong",
    redirect_uris: [redirect],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...(scopes !== undefined && { scope: scopes.join(" ") }),
  }
}
