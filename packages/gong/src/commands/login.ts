import { phrase } from "@gong/spec"
import { recognizeKey, type Registry } from "@gong/llm"
import { readConfig } from "../compose/config.ts"
import { readKey } from "../compose/input/input.ts"
import { configWithBrought } from "../compose/models/session-model.ts"
import { checkAndKeep, customGoal, type KeyGoal, providerGoal } from "../compose/keys/keep-key.ts"
import { openTransport } from "../compose/network/transport.ts"
import { usableKey } from "../config/credentials.ts"
import type { Options } from "../config/flags.ts"
import { attempt, didYouMean, must, ok, type Outcome, usage, usageLines } from "../config/usage.ts"
import { systemClock } from "../ports.ts"
import { lineReader } from "../terminal/lines.ts"
import type { SessionSpec } from "../config/session-spec.ts"
import type { Services } from "../services.ts"
import type { World } from "../world.ts"
import type { Translate } from "../texts/translator.ts"

/** `gong login [PROVIDER] [--base-url URL]`: a key is typed or comes on stdin, is tried once, and kept. Gives the exit status. */
export async function login(world: World, options: Options, words: readonly string[]): Promise<number> {
  const read = (prompt: string) => (world.stdin === "terminal" ? typedKey(world, prompt) : pipedKey(world))
  const done = await takeKey(world, options, words[0], read)
  if (!done.ok) {
    for (const line of usageLines(world.t, done.error)) world.err(`${line}\n`)
    return world.ending === "interrupt" ? 130 : done.error.exit
  }
  const { kept, text, first } = done.value
  if (!kept) {
    world.err(`gong: ${text}\n`)
    return 1
  }
  world.out(`${text}\n`)
  if (first !== null) world.err(`${first}\n`)
  return 0
}

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
    const { config, lines } = isKnown ? { config: found, lines: [] } : await configWithBrought(services, spec, found)
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
      return { first, ...must(await checkAndKeep(services.t, config.home, goal, key, transport)) }
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
): Outcome<KeyGoal | null> {
  const row = name === undefined || name === "custom" ? undefined : registry.find(name)
  if (name !== undefined && name !== "custom" && !row) return unknownProvider(registry, name)
  if (spec.baseUrl !== undefined) {
    const custom = customGoal(spec.baseUrl, spec.api ?? row?.api)
    return custom.ok && row ? ok({ ...row, api: custom.value.api, baseUrl: custom.value.baseUrl }) : custom
  }
  if (name === "custom") return usage(phrase`an endpoint of your own needs its address: gong login --base-url URL`)
  if (!row) return ok(null)
  if (row.keys.length === 0) return usage(phrase`${row.name} wants no key.`)
  return providerGoal(row, env)
}

function unknownProvider({ providers }: Registry, name: string): Outcome<never> {
  const known = providers.filter((row) => row.keys.length > 0).map((row) => row.id)
  return usage(
    phrase`no provider "${name}".${didYouMean(name, known)} There are ${known.join(", ")}; for another: gong login --base-url URL`,
  )
}

function goalOf({ env }: Services, key: string): Outcome<KeyGoal> {
  const row = recognizeKey(key)
  return row
    ? providerGoal(row, env)
    : usage(phrase`this key does not say whose it is. Name the provider: gong login PROVIDER`)
}

/** A key of one provider is not shown to another. */
function belongs({ id, name }: KeyGoal, key: string): Outcome<null> {
  const row = recognizeKey(key)
  if (!row || row.id === id) return ok(null)
  return usage(
    phrase`this looks like a key of ${row.name}, not of ${name}; it was not sent. gong login ${row.id} takes it.`,
  )
}

async function typedKey(world: World, prompt: string): Promise<Outcome<string>> {
  const lines = lineReader(world.openStdin(), world.openStdout())
  lines.onInterrupt(() => lines.close())
  try {
    return keyOfLine(world.t, await lines.ask(prompt, { secret: true }))
  } finally {
    lines.close()
  }
}

/** What was typed as a key; null: nothing. */
export function keyOfLine(t: Translate, line: string | null): Outcome<string> {
  if (line === null || line.trim() === "") return usage(phrase`no key was given; nothing was kept.`)
  return onlyKey(line, t`what was typed`)
}

async function pipedKey(world: World): Promise<Outcome<string>> {
  const line = await readKey(world, systemClock, "gong login")
  return line.ok ? onlyKey(line.value, world.t`what came on stdin`) : line
}

function onlyKey(line: string, from: string): Outcome<string> {
  const key = usableKey(line, from, "option")
  return key.ok ? ok(key.value.key) : key
}
