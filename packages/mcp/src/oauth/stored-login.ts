import type {
  AuthorizationServerMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client"

/** A login at a server, as it is stored; plain data. */
export interface StoredLogin {
  /** The authorization server that issued the tokens. */
  readonly issuer: string
  readonly metadata: AuthorizationServerMetadata | null
  /** The resource indicator of the request (RFC 8707). */
  readonly resource: string | null
  readonly client: StoredOAuthClientInformation
  /** Null: registered, but not logged in. */
  readonly tokens: StoredOAuthTokens | null
  /** Milliseconds since the epoch; null: not known. */
  readonly expiresAt: number | null
}

/** The login of one server, shared by all processes of the user. */
export interface LoginStore {
  read(): Promise<StoredLogin | null>
  /** Reads and writes it, exclusive among processes for the whole of `work`; `undefined` keeps it, null removes it. */
  update(work: (now: StoredLogin | null) => Promise<StoredLogin | null | undefined>): Promise<StoredLogin | null>
}

/** The time at which tokens end. */
export function expiryOf(tokens: StoredOAuthTokens, now: number): number | null {
  return tokens.expires_in === undefined ? null : now + tokens.expires_in * 1_000
}
