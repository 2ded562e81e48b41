import { recognizeKey, type Registry } from "@gong/llm"
import { usableKey } from "@gong/config/credentials"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, didYouMean, must, ok, type Outcome, usage } from "@gong/config/usage"
import { phrase } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"
import { readConfig } from "../compose/config.ts"
import { checkAndStoreKey, customEndpoint, type KeyEndpoint, providerEndpoint } from "../compose/keys/store-key.ts"
import { configWithExtensionModels } from "../compose/models/session-model.ts"
import { openTransport } from "../compose/network/transport.ts"
import type { Services } from "../services.ts"

interface LoginOutcome {
  readonly stored: boolean
  readonly text: string
  /** A line about environment variables that have precedence; null for none. */
  readonly precedence: string | null
}

/** Reads a key, checks it with one free request, and stores it unless it is refused. */
export function loginWithKey(
  services: Services,
  spec: SessionSpec,
  name: string | undefined,
  read: (prompt: string) => Promise<Outcome<string>>,
): Promise<Outcome<LoginOutcome>> {
  return attempt(async () => {
    const found = must(await readConfig(services, spec))
    const isKnown = name === undefined || name === "custom" || found.registry.find(name) !== undefined
    const { config, lines } = isKnown
      ? { config: found, lines: [] }
      : await configWithExtensionModels(services, spec, found)
    for (const line of lines) services.warn(line)
    const named = must(namedEndpoint(services, spec, config.registry, name))
    const key = must(await read(services.t`Key${named ? services.t` for ${named.name}` : ""} (not shown): `))
    const endpoint = named ?? must(endpointOfKey(services, key))
    if (spec.baseUrl === undefined) must(checkProvider(endpoint, key))
    const transport = openTransport(services, config.settings)
    try {
      const variables = ["GONG_API_KEY", ...(config.registry.find(endpoint.id)?.keys ?? [])]
      const defined = variables.filter((variable) => services.env[variable])
      const precedence =
        defined.length === 0
          ? null
          : services.t`gong: ${defined.join(services.t` and `)} has precedence; unset it to use this key.`
      return { precedence, ...must(await checkAndStoreKey(services.t, config.home, endpoint, key, transport)) }
    } finally {
      transport.close()
    }
  })
}

/** Null: the provider is recognized by the key. */
function namedEndpoint(
  { env }: Services,
  spec: SessionSpec,
  registry: Registry,
  name: string | undefined,
): Outcome<KeyEndpoint | null> {
  const row = name === undefined || name === "custom" ? undefined : registry.find(name)
  if (name !== undefined && name !== "custom" && !row) return unknownProvider(registry, name)
  if (spec.baseUrl !== undefined) {
    const custom = customEndpoint(spec.baseUrl, spec.api ?? row?.api)
    return custom.ok && row ? ok({ ...row, api: custom.value.api, baseUrl: custom.value.baseUrl }) : custom
  }
  if (name === "custom") return usage(phrase`an endpoint of your own needs its address: gong login --base-url URL`)
  if (!row) return ok(null)
  if (row.keys.length === 0) return usage(phrase`${row.name} needs no key.`)
  return providerEndpoint(row, env)
}

function unknownProvider({ providers }: Registry, name: string): Outcome<never> {
  const known = providers.filter((row) => row.keys.length > 0).map((row) => row.id)
  return usage(
    phrase`no provider "${name}".${didYouMean(name, known)} There are ${known.join(", ")}; for another: gong login --base-url URL`,
  )
}

function endpointOfKey({ env }: Services, key: string): Outcome<KeyEndpoint> {
  const row = recognizeKey(key)
  return row
    ? providerEndpoint(row, env)
    : usage(phrase`the provider of this key is not recognized. Name it: gong login PROVIDER`)
}

/** A key of another provider must not be sent. */
function checkProvider({ id, name }: KeyEndpoint, key: string): Outcome<null> {
  const row = recognizeKey(key)
  if (!row || row.id === id) return ok(null)
  return usage(phrase`this looks like a key of ${row.name}, not of ${name}; it was not sent. Use gong login ${row.id}.`)
}

/** The key of a typed line; null: no input. */
export function keyFromLine(t: Translate, line: string | null): Outcome<string> {
  if (line === null || line.trim() === "") return usage(phrase`no key was given; nothing was stored.`)
  return parseKey(line, t`the terminal`)
}

/** The key in a line; `from`: its source in messages. */
export function parseKey(line: string, from: string): Outcome<string> {
  const key = usableKey(line, from, "option")
  return key.ok ? ok(key.value.key) : key
}
