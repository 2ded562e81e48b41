import { addressOf, keyVariables, type Registry } from "@gong/llm"
import type { AuthFile } from "../config/auth.ts"
import { createCredentials, type KeyOrigin } from "../config/credentials.ts"
import { ok, type Outcome, usage } from "../config/usage.ts"

/** One key that there is, without the key. */
export interface KeyRow extends KeyOrigin {
  /** Null: it goes to whichever provider is asked. */
  readonly provider: string | null
  /** Where it goes; null with any provider. */
  readonly origin: string | null
  /** False: another one comes before it. */
  readonly used: boolean
}

export interface KeySources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly auth: AuthFile | null
  readonly registry: Registry
}

/** Every key of the environment and of `auth.json`, by provider; runs no command and sends nothing. */
export function keyRows({ env, auth, registry }: KeySources): Outcome<readonly KeyRow[]> {
  const variables = keyVariables(registry.providers)
  const runCommand = async () => usage("no command is run to list keys.")
  const made = createCredentials({ env, variables, auth, runCommand })
  if (!made.ok) return made
  const { origins } = made.value
  const any = origins("", "").map((one): KeyRow => ({ provider: null, origin: null, used: true, ...one }))
  const providers = new Set([...Object.keys(variables), ...(auth?.keys.keys() ?? [])])
  const own = [...providers].flatMap((provider) => {
    const stored = (auth?.keys.get(provider) ?? []).map((one) => one.origin)
    const address = originOf(provider, env, registry)
    return [...new Set([...(address === null ? [] : [address]), ...stored])].flatMap((origin) =>
      origins(provider, origin)
        .map((one, index): KeyRow => ({ provider, origin, used: index === 0, ...one }))
        // A variable is told where its provider is, also when other addresses have keys of their own.
        .filter(({ kind, from }) => from !== any[0]?.from && (kind !== "environment" || origin === address)),
    )
  })
  return ok([...any, ...own])
}

/** The origin that a provider's own keys go to; null for one that Gong does not know. */
function originOf(provider: string, env: KeySources["env"], registry: Registry): string | null {
  const row = registry.find(provider)
  const url = row && addressOf(row, row.api, env)
  return url && URL.canParse(url) ? new URL(url).origin : null
}
