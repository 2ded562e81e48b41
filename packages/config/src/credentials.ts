import { type Credential, type Credentials, shortestSecret, phrase } from "@gong/spec"
import type { AuthFile, StoredKey } from "./auth.ts"
import { must, ok, usage, type Outcome } from "./usage.ts"

export interface CredentialSources {
  /** `--api-key`, with `-` replaced by stdin. */
  readonly apiKey?: string
  /** `--api-key-env`. */
  readonly apiKeyEnv?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Key variables by provider, in order of precedence: `{anthropic: ["ANTHROPIC_API_KEY"]}`. */
  readonly variables: Readonly<Record<string, readonly string[]>>
  readonly auth: AuthFile | null
  /** Runs an `apiKeyCommand`; its output is the key. */
  readonly runCommand: (command: readonly string[]) => Promise<Outcome<string>>
}

/** Source of a key, without the key. */
export interface KeyOrigin {
  /** Display name: `--api-key`, `ANTHROPIC_API_KEY`, `auth.json`, `pass show anthropic`. */
  readonly from: string
  readonly kind: "option" | "environment" | "stored" | "command"
}

export interface KeyChain extends Credentials {
  /** An invalid key, or a failed key command, ends the surrounding `attempt`. A command runs once, however often its key is requested. */
  get(provider: string, origin: string): Promise<Credential | null>
  /** All sources, in order of precedence. Runs nothing. */
  origins(provider: string, origin: string): readonly KeyOrigin[]
  /** The same keys, with the command line's key reserved for this provider. */
  reservedFor(provider: string): KeyChain
}

/** By auth.json entry, since a session creates several instances from one file, one per model and role. */
const commandOutputs = new WeakMap<StoredKey, Promise<Outcome<string>>>()

/** Key lookup: the command line, then `GONG_API_KEY`, the provider's variables, `auth.json`. A stored key is used only for its origin. */
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

/** `owner`: the provider of the command line's key; null: any. */
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
      const running = commandOutputs.get(first.stored) ?? sources.runCommand(first.command)
      commandOutputs.set(first.stored, running)
      const { key } = must(usableKey(must(await running), first.from, first.kind))
      return { key, from: first.from }
    },
    reservedFor: (provider) => chainOf(sources, given, provider, others),
  }
}

/** All known keys, including output of key commands: never inherited by commands, never shown in texts. */
export function knownKeys(
  sources: Omit<CredentialSources, "runCommand">,
  fromCommands: readonly (Credential | null | undefined)[] = [],
): readonly string[] {
  const names = ["GONG_API_KEY", ...(sources.apiKeyEnv === undefined ? [] : [sources.apiKeyEnv])]
  const variables = [...names, ...Object.values(sources.variables).flat()]
  const stored = [...(sources.auth?.keys.values() ?? [])].flat().map((one) => ("key" in one ? one.key : undefined))
  const all = [
    sources.apiKey,
    ...fromCommands.map((one) => one?.key),
    ...variables.map((name) => sources.env[name]),
    ...stored,
  ]
  return [...new Set(all.filter((key): key is string => key !== undefined && key !== ""))]
}

/** Keys to redact, longest first, since one may be a prefix of another. */
export function redactableKeys(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => key.length >= shortestSecret).toSorted((a, b) => b.length - a.length)
}

/** Replaces every key in a text by `[redacted]`; a text without one is returned itself. */
export function redactor(keys: readonly string[]): (text: string) => string {
  const secrets = redactableKeys(keys)
  return (text) => {
    let clean = text
    for (const key of secrets) if (clean.includes(key)) clean = clean.replaceAll(key, "[redacted]")
    return clean
  }
}

type Found = KeyOrigin &
  ({ readonly key: string } | { readonly stored: StoredKey; readonly command: readonly string[] })

/** The command line's key. */
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

/** The key for any provider. */
function commonKey(sources: CredentialSources): Outcome<Found | null> {
  const key = sources.env["GONG_API_KEY"] ?? ""
  return key === "" ? ok(null) : usableKey(key, "GONG_API_KEY", "environment")
}

/** A key is sent in a header, so a line break inside (a pasted newline) would fail later. */
export function usableKey(
  key: string,
  from: string,
  kind: KeyOrigin["kind"],
): Outcome<KeyOrigin & { readonly key: string }> {
  const trimmed = key.trim()
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    return usage(phrase`the key from ${from} contains blanks or other invalid characters.`)
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
