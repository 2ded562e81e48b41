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

interface TakenKey {
  readonly kept: boolean
  readonly text: string
  /** A line about variables that come before it; null when there are none. */
  readonly first: string | null
}

/** Reads a key, tries it with one free request, and keeps it unless it is refused. */
export function takeKey(
  services: Services,
  spec: SessionSpec,
  name: string | undefined,
  read: (prompt: string) => Promise<Outcome<string>>,
): Promise<Outcome<TakenKey>> {
  return attempt(async () => {
    const found = must(await readConfig(services, spec))
    const isKnown = name === undefined || name === "custom" || found.registry.find(name) !== undefined
    const { config, lines } = isKnown
      ? { config: found, lines: [] }
      : await configWithExtensionModels(services, spec, found)
    for (const line of lines) services.warn(line)
    const named = must(namedGoal(services, spec, config.registry, name))
    const key = must(await read(services.t`Key${named ? services.t` for ${named.name}` : ""} (not shown): `))
    const goal = named ?? must(goalOf(services, key))
    if (spec.baseUrl === undefined) must(belongs(goal, key))
    const transport = openTransport(services, config.settings)
    try {
      const variables = ["GONG_API_KEY", ...(config.registry.find(goal.id)?.keys ?? [])]
      const before = variables.filter((variable) => services.env[variable])
      const first =
        before.length === 0
          ? null
          : services.t`gong: ${before.join(services.t` and `)} comes before it; unset it to use this one.`
      return { first, ...must(await checkAndStoreKey(services.t, config.home, goal, key, transport)) }
    } finally {
      transport.close()
    }
  })
}

/** Null: the key itself must say whose it is. */
function namedGoal(
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
  if (row.keys.length === 0) return usage(phrase`${row.name} wants no key.`)
  return providerEndpoint(row, env)
}

function unknownProvider({ providers }: Registry, name: string): Outcome<never> {
  const known = providers.filter((row) => row.keys.length > 0).map((row) => row.id)
  return usage(
    phrase`no provider "${name}".${didYouMean(name, known)} There are ${known.join(", ")}; for another: gong login --base-url URL`,
  )
}

function goalOf({ env }: Services, key: string): Outcome<KeyEndpoint> {
  const row = recognizeKey(key)
  return row
    ? providerEndpoint(row, env)
    : usage(phrase`this key does not say whose it is. Name the provider: gong login PROVIDER`)
}

/** A key of one provider is not shown to another. */
function belongs({ id, name }: KeyEndpoint, key: string): Outcome<null> {
  const row = recognizeKey(key)
  if (!row || row.id === id) return ok(null)
  return usage(
    phrase`this looks like a key of ${row.name}, not of ${name}; it was not sent. gong login ${row.id} takes it.`,
  )
}

/** What was typed as a key; null: nothing. */
export function keyOfLine(t: Translate, line: string | null): Outcome<string> {
  if (line === null || line.trim() === "") return usage(phrase`no key was given; nothing was kept.`)
  return onlyKey(line, t`the terminal`)
}

/** The key in a line; `from`: its source in messages. */
export function onlyKey(line: string, from: string): Outcome<string> {
  const key = usableKey(line, from, "option")
  return key.ok ? ok(key.value.key) : key
}
