export interface Credential {
  readonly key: string
  /** Where it came from, for people: `ANTHROPIC_API_KEY`, `--api-key`, `auth.json`. */
  readonly from: string
  /** Goes as `Authorization: Bearer` where the wire has its own header for keys (`ANTHROPIC_AUTH_TOKEN`). */
  readonly bearer?: boolean
}

/** Keys. A stored key is given only for the origin it was stored for. */
export interface Credentials {
  get(provider: string, origin: string): Promise<Credential | null>
}

/** Keys of fewer characters are placeholders ("x", "none"): hiding those would only tear holes into texts. */
export const shortestSecret = 8
