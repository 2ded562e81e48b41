import { type Credential, type Credentials, shortestSecret, phrase } from "@gong/spec"
import type { AuthFile, StoredKey } from "./auth.ts"
import { must, ok, usage, type Outcome } from "./usage.ts"

export interface CredentialSources {
  /** `--api-key`, already read from stdin where it was `-`. */
  readonly apiKey?: string
  /** `--api-key-env`. */
  readonly apiKeyEnv?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The variables of each provider, first choice first: `{anthropic: ["ANTHROPIC_API_KEY"]}`. */
  readonly variables: Readonly<Record<string, readonly string[]>>
  readonly auth: AuthFile | null
  /** Runs an `apiKeyCommand`; what it prints is the key. */
  readonly runCommand: (command: readonly string[]) => Promise<Outcome<string>>
}

/** Where a key comes from, without the key. */
export interface KeyOrigin {
  /** For people: `--api-key`, `ANTHROPIC_API_KEY`, `auth.json`, `pass show anthropic`. */
  readonly from: string
  readonly kind: "option" | "environment" | "stored" | "command"
}

export interface KeyChain extends Credentials {
  /** A key that cannot be sent, and a command that cannot give its own, end the surrounding `attempt`. It runs once, however often its key is asked for. */
  get(provider: string, origin: string): Promise<Credential | null>
  /** All that there are, the one that counts first. Runs nothing. */
  origins(provider: string, origin: string): readonly KeyOrigin[]
  /** The same keys, where the one of the command line is this provider's and goes to no other. */
  givenFor(provider: string): KeyChain
}

/** By the entry that was read, since a session makes several chains from one reading: each model and role may look anew. */
const said = new WeakMap<StoredKey, Promise<Outcome<string>>>()

/** Keys: the command line, then `GONG_API_KEY`, the provider's own variables, `auth.json`. A stored key goes only to its origin. */
export function createCredentials(sources: CredentialSources): Outcome<KeyChain> {
  const given = givenKey(sources)
  if (!given.ok) return given
  const common = commonKey(sources)
  if (!common.ok) return common
  const shared = common.value === null ? [] : [common.value]
  const find = (provider: string, origin: string): readonly Found[] => [
    ...shared,
    ...fromEnvironment(sources, provider),
    ...fromAuth(sources.auth, provider, origin),
  ]
  return ok(chainOf(sources, given.value, null, find))
}

type Find = (provider: string, origin: string) => readonly Found[]

/** `owner`: whom the key of the command line was given for; null: whoever is asked. */
function chainOf(sources: CredentialSources, given: Found | null, owner: string | null, others: Find): KeyChain {
  const find: Find = (provider, origin) => [
    ...(given !== null && (owner === null || owner === provider) ? [given] : []),
    ...others(provider, origin),
  ]
  return {
    origins: (provider, origin) => find(provider, origin).map(({ from, kind }) => ({ from, kind })),
    async get(provider, origin) {
      const [first] = find(provider, origin)
      if (!first) return null
      if ("key" in first) {
        const { key } = must(usableKey(first.key, first.from, first.kind))
        return { key, from: first.from }
      }
      const running = said.get(first.stored) ?? sources.runCommand(first.command)
      said.set(first.stored, running)
      const { key } = must(usableKey(must(await running), first.from, first.kind))
      return { key, from: first.from }
    },
    givenFor: (provider) => chainOf(sources, given, provider, others),
  }
}

/** Every key that Gong holds, and those that commands said: what commands must not inherit and what no text may show. */
export function heldKeys(
  sources: Omit<CredentialSources, "runCommand">,
  said: readonly (Credential | null | undefined)[] = [],
): readonly string[] {
  const names = ["GONG_API_KEY", ...(sources.apiKeyEnv === undefined ? [] : [sources.apiKeyEnv])]
  const variables = [...names, ...Object.values(sources.variables).flat()]
  const stored = [...(sources.auth?.keys.values() ?? [])].flat().map((one) => ("key" in one ? one.key : undefined))
  const all = [sources.apiKey, ...said.map((one) => one?.key), ...variables.map((name) => sources.env[name]), ...stored]
  return [...new Set(all.filter((key): key is string => key !== undefined && key !== ""))]
}

/** Those that are worth looking for, the longest first: one key may be the beginning of another. */
export function secretsAmong(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => key.length >= shortestSecret).toSorted((a, b) => b.length - a.length)
}

/** Replaces every key in a text by `[redacted]`; a text without one comes back as it is. */
export function redactor(keys: readonly string[]): (text: string) => string {
  const sought = secretsAmong(keys)
  return (text) => {
    let clean = text
    for (const key of sought) if (clean.includes(key)) clean = clean.replaceAll(key, "[redacted]")
    return clean
  }
}

type Found = KeyOrigin &
  ({ readonly key: string } | { readonly stored: StoredKey; readonly command: readonly string[] })

/** The key of the command line. */
function givenKey(sources: CredentialSources): Outcome<Found | null> {
  if (sources.apiKey !== undefined) {
    const key = sources.apiKey.trim()
    if (key === "") return usage(phrase`--api-key is empty. Give a key, or - to read it from stdin.`)
    return usableKey(key, "--api-key", "option")
  }
  if (sources.apiKeyEnv !== undefined) {
    const key = sources.env[sources.apiKeyEnv] ?? ""
    if (key === "") return usage(phrase`--api-key-env: the variable ${sources.apiKeyEnv} is not set.`)
    return usableKey(key, sources.apiKeyEnv, "environment")
  }
  return ok(null)
}

/** The key for whichever provider is asked. */
function commonKey(sources: CredentialSources): Outcome<Found | null> {
  const key = sources.env["GONG_API_KEY"] ?? ""
  return key === "" ? ok(null) : usableKey(key, "GONG_API_KEY", "environment")
}

/** A key travels in a header: a line break inside (a pasted newline) would otherwise fail far from here. */
export function usableKey(
  key: string,
  from: string,
  kind: KeyOrigin["kind"],
): Outcome<KeyOrigin & { readonly key: string }> {
  const trimmed = key.trim()
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    return usage(phrase`the key in ${from} holds blanks or characters that no key has.`)
  return ok({ key: trimmed, from, kind })
}

function fromEnvironment(sources: CredentialSources, provider: string): readonly Found[] {
  const names = Object.hasOwn(sources.variables, provider) ? (sources.variables[provider] ?? []) : []
  return names.flatMap((from) => {
    const key = sources.env[from]?.trim() ?? ""
    return key === "" ? [] : [{ key, from, kind: "environment" as const }]
  })
}

function fromAuth(auth: AuthFile | null, provider: string, origin: string): readonly Found[] {
  const wanted = URL.canParse(origin) ? new URL(origin).origin : null
  const all = auth?.keys.get(provider) ?? []
  return all.filter((stored) => stored.origin === wanted).map(foundIn)
}

function foundIn(stored: StoredKey): Found {
  if ("key" in stored) return { key: stored.key, from: "auth.json", kind: "stored" }
  const command = stored.apiKeyCommand
  return { stored, command, from: `the command ${command[0]}`, kind: "command" }
}
