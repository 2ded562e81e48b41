import type { Credential, Credentials } from "@gong/spec"
import type { AuthFile } from "./auth.ts"
import { ok, usage, type Outcome } from "./usage.ts"

export interface CredentialSources {
  /** `--api-key`, already read from stdin where it was `-`. */
  readonly apiKey?: string
  /** `--api-key-env`. */
  readonly apiKeyEnv?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The variables of each provider, first choice first: `{anthropic: ["ANTHROPIC_API_KEY"]}`. */
  readonly variables: Readonly<Record<string, readonly string[]>>
  readonly auth: AuthFile | null
}

/** Keys: the command line, then `GONG_API_KEY`, the provider's own variables, `auth.json`. A stored key goes only to its origin. */
export function createCredentials(sources: CredentialSources): Outcome<Credentials> {
  const given = givenKey(sources)
  if (!given.ok) return given
  return ok({
    get: async (provider, origin) =>
      given.value ?? fromEnvironment(sources, provider) ?? fromAuth(sources.auth, provider, origin),
  })
}

/** Every key that Gong holds: what commands must not inherit and what no text may show. */
export function heldKeys(sources: CredentialSources): readonly string[] {
  const names = ["GONG_API_KEY", ...(sources.apiKeyEnv === undefined ? [] : [sources.apiKeyEnv])]
  const variables = [...names, ...Object.values(sources.variables).flat()]
  const stored = [...(sources.auth?.keys.values() ?? [])].map(({ key }) => key)
  const all = [sources.apiKey, ...variables.map((name) => sources.env[name]), ...stored]
  return [...new Set(all.filter((key): key is string => key !== undefined && key !== ""))]
}

/** Keys of fewer characters are placeholders ("x", "none"): redacting those would only tear holes into texts. */
const shortest = 8

/** Replaces every key in a text by `[redacted]`; a text without one comes back as it is. */
export function redactor(keys: readonly string[]): (text: string) => string {
  // Longest first: one key may be the beginning of another.
  const sought = keys.filter((key) => key.length >= shortest).toSorted((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const key of sought) if (clean.includes(key)) clean = clean.replaceAll(key, "[redacted]")
    return clean
  }
}

function givenKey(sources: CredentialSources): Outcome<Credential | null> {
  if (sources.apiKey !== undefined) {
    const key = sources.apiKey.trim()
    if (key === "") return usage("--api-key is empty. Give a key, or - to read it from stdin.")
    return usableKey(key, "--api-key")
  }
  if (sources.apiKeyEnv !== undefined) {
    const key = sources.env[sources.apiKeyEnv] ?? ""
    if (key === "") return usage(`--api-key-env: the variable ${sources.apiKeyEnv} is not set.`)
    return usableKey(key, sources.apiKeyEnv)
  }
  const key = sources.env["GONG_API_KEY"] ?? ""
  return key === "" ? ok(null) : usableKey(key, "GONG_API_KEY")
}

/** A key travels in a header: a line break inside (a pasted newline) would otherwise fail far from here. */
function usableKey(key: string, from: string): Outcome<Credential> {
  const trimmed = key.trim()
  if (!/^[\x21-\x7e]+$/.test(trimmed)) return usage(`the key in ${from} holds blanks or characters that no key has.`)
  return ok({ key: trimmed, from })
}

function fromEnvironment(sources: CredentialSources, provider: string): Credential | null {
  const names = Object.hasOwn(sources.variables, provider) ? (sources.variables[provider] ?? []) : []
  for (const name of names) {
    const key = sources.env[name]?.trim() ?? ""
    if (key !== "") return { key, from: name }
  }
  return null
}

function fromAuth(auth: AuthFile | null, provider: string, origin: string): Credential | null {
  const stored = auth?.keys.get(provider)
  if (stored === undefined || !URL.canParse(origin) || new URL(origin).origin !== stored.origin) return null
  return { key: stored.key, from: "auth.json" }
}
