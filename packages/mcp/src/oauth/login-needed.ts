/** A server requires a login, which only `gong mcp login` or the user's consent begins. */
export class LoginNeeded extends Error {
  readonly challenge: LoginChallenge
  constructor(challenge: LoginChallenge) {
    super("the server requires a login")
    this.challenge = challenge
  }
}

/** What the refusal of a server says about a login (RFC 6750, RFC 9728). */
export interface LoginChallenge {
  readonly scope?: string | undefined
  /** The address of the metadata of the protected resource. */
  readonly resourceMetadataUrl?: URL | undefined
}
