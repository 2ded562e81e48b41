export interface Credential {
  readonly key: string
  /** Its source, for people: `ANTHROPIC_API_KEY`, `--api-key`, `auth.json`. */
  readonly from: string
  /** Sent as `Authorization: Bearer` even if the wire format has its own key header (`ANTHROPIC_AUTH_TOKEN`). */
  readonly bearer?: boolean
}

/** API keys. A stored key is returned only for the origin that it was stored for. */
export interface Credentials {
  get(provider: string, origin: string): Promise<Credential | null>
}

/** Shorter keys are placeholders ("x", "none"); redacting them would only garble texts. */
export const shortestSecret = 8
