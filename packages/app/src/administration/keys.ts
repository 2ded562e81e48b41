import { englishOf, phrase } from "@gong/spec"
import { type Config, readConfig } from "../compose/config.ts"
import { customEndpoint } from "../compose/keys/store-key.ts"
import { type KeyRow, keyRows } from "../compose/keys/key-rows.ts"
import { removeKeys } from "@gong/config/auth"
import { configWithExtensionModels } from "../compose/models/session-model.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, ok, type Outcome, usage } from "@gong/config/usage"
import { table } from "@gong/texts/table"
import type { Services } from "../services.ts"
import type { Translate } from "@gong/texts/translator"

type AuthOptions = SessionSpec & { readonly json?: boolean | undefined }

/** `gong auth [status]`, `gong auth logout [PROVIDER] [--base-url URL]`. Never shows a key and sends nothing. */
export function auth(
  services: Services,
  options: AuthOptions,
  [verb, name]: readonly string[],
): Promise<Outcome<string>> {
  return attempt(async () => {
    const { config, lines } = await configWithExtensionModels(
      services,
      options,
      must(await readConfig(services, options)),
    )
    for (const line of lines) services.warn(line)
    if (verb === "logout") return logout(services, options, config, name)
    const rows = must(keyRows({ ...config, env: services.env }))
    if (options.json === true) return `${JSON.stringify({ keys: rows.map(plainRow) })}\n`
    if (rows.length === 0) return services.t`No key. Give one: gong login, or export ANTHROPIC_API_KEY=...\n`
    return `${table(rows.map((one) => cellsOf(services.t, one))).join("\n")}\n`
  })
}

function cellsOf(t: Translate, row: KeyRow) {
  return [row.provider ?? t`any`, row.from, useText(t, row)].map((text) => ({ text }))
}

/** With English texts, for programs. */
function plainRow({ problem, ...row }: KeyRow) {
  return { ...row, ...(problem !== undefined && { problem: englishOf(problem) }) }
}

function useText(t: Translate, { origin, used, problem }: KeyRow): string {
  if (problem !== undefined) return t`not used: ${problem}`
  return used ? t`for ${origin ?? t`every provider`}` : t`not used: another key has precedence`
}

async function logout(
  services: Services,
  options: AuthOptions,
  config: Config,
  name: string | undefined,
): Promise<string> {
  const { home, auth } = config
  const stored = [...(auth?.keys.keys() ?? [])]
  const provider = name ?? must(onlyOne(stored))
  const origin = options.baseUrl === undefined ? null : new URL(must(customEndpoint(options.baseUrl)).baseUrl).origin
  const scope = origin === null ? "" : services.t` for ${origin}`
  const keys = auth?.keys.get(provider) ?? []
  const rest = environmentKeys(services.t, services, config, provider)
  if (!keys.some((one) => origin === null || one.origin === origin))
    return services.t`No key of ${`${provider}${scope}`} is stored in ${home}/auth.json.\n${rest}`
  must(await removeKeys(home, provider, origin))
  return services.t`The key of ${provider}${scope} was removed; it stays valid until it is revoked.\n${rest}`
}

function onlyOne(stored: readonly string[]): Outcome<string> {
  const [first, ...more] = stored
  if (first === undefined) return usage(phrase`auth.json contains no key.`)
  return more.length === 0 ? ok(first) : usage(phrase`which one? gong auth logout ${stored.join("|")}`)
}

/** A line for each variable that still contains a key. */
function environmentKeys(t: Translate, { env }: Services, { registry }: Config, provider: string): string {
  const rows = must(keyRows({ env, auth: null, registry })).filter(
    (row) => row.provider === provider || row.provider === null,
  )
  return rows.map(({ from }) => t`${from} still contains one.\n`).join("")
}
