import {
  type AuthProvider,
  extractWWWAuthenticateParams,
  type FetchLike,
  OAuthError,
  refreshAuthorization,
} from "@modelcontextprotocol/client"
import type { Clock } from "@gong/spec"
import { LoginNeeded } from "./login-needed.ts"
import { expiryOf, type LoginStore, type StoredLogin } from "./stored-login.ts"

/** Milliseconds before its end at which a token is refreshed. */
const early = 60_000

interface TokenDeps {
  readonly store: LoginStore
  readonly clock: Clock
  readonly fetch: FetchLike
}

/**
 * The tokens of a session: refreshed before they end, by one process for all others. Never begins a login, which would
 * register a client or open a browser without the user's consent.
 */
export function sessionTokens({ store, clock, fetch }: TokenDeps): AuthProvider {
  let sent: string | undefined
  const refreshed = (isDue: (login: StoredLogin) => boolean): Promise<StoredLogin | null> =>
    store.update(async (login) => {
      // Another process may have refreshed them while this one was waiting.
      if (login === null || !isDue(login)) return undefined
      return refresh(login, fetch, clock)
    })
  return {
    async token() {
      const login = await store.read()
      const isDue = ({ expiresAt, tokens }: StoredLogin): boolean =>
        expiresAt !== null && expiresAt < clock.now() + early && tokens?.refresh_token !== undefined
      const current = login !== null && isDue(login) ? await refreshed(isDue) : login
      sent = current?.tokens?.access_token
      return sent
    },
    async onUnauthorized({ response }) {
      const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
      const login = await refreshed(
        ({ tokens }) => tokens?.access_token === sent && tokens?.refresh_token !== undefined,
      )
      const token = login?.tokens?.access_token
      if (token !== undefined && token !== sent) return
      throw new LoginNeeded({ scope, resourceMetadataUrl })
    },
  }
}

/** New tokens; without them the old ones are removed, since the authorization server has refused the refresh. */
async function refresh(login: StoredLogin, fetchFn: FetchLike, clock: Clock): Promise<StoredLogin | undefined> {
  const { issuer, metadata, client, resource, tokens } = login
  if (tokens?.refresh_token === undefined) return undefined
  try {
    const now = clock.now()
    const fresh = await refreshAuthorization(issuer, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      ...(resource !== null && { resource: new URL(resource) }),
      fetchFn,
    })
    return { ...login, tokens: { ...fresh, issuer }, expiresAt: expiryOf(fresh, now) }
  } catch (error) {
    // Only an answer of the authorization server ends the login; it may be out of reach for a while.
    return error instanceof OAuthError && error.code === "invalid_grant"
      ? { ...login, tokens: null, expiresAt: null }
      : undefined
  }
}
