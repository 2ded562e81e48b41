import { phrase, type Text } from "@gong/spec"
import { addressFault, addressOf, keyVariables, type Registry } from "@gong/llm"
import type { AuthFile } from "@gong/config/auth"
import { createCredentials, type KeyOrigin } from "@gong/config/credentials"
import { ok, type Outcome, usage } from "@gong/config/usage"

/** One key that there is, without the key. */
export interface KeyRow extends KeyOrigin {
  /** Null: it goes to whichever provider is asked. */
  readonly provider: string | null
  /** Where it goes; null with any provider, and with a problem. */
  readonly origin: string | null
  /** False: another one comes before it, or it goes nowhere. */
  readonly used: boolean
  /** Why it goes nowhere: its provider has no address that could be asked. */
  readonly problem?: Text
}

export interface KeySources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly auth: AuthFile | null
  readonly registry: Registry
}

/** Every key of the environment and of `auth.json`, by provider; runs no command and sends nothing. */
export function keyRows({ env, auth, registry }: KeySources): Outcome<readonly KeyRow[]> {
  const variables = keyVariables(registry.providers)
  const runCommand = async () => usage(phrase`no command is run to list keys.`)
  const made = createCredentials({ env, variables, auth, runCommand })
  if (!made.ok) return made
  const { origins } = made.value
  const any = origins("", "").map((one): KeyRow => ({ provider: null, origin: null, used: true, ...one }))
  const providers = new Set([...Object.keys(variables), ...(auth?.keys.keys() ?? [])])
  const own = [...providers].flatMap((provider) => {
    const stored = (auth?.keys.get(provider) ?? []).map((one) => one.origin)
    const { origin: address, problem } = addressIn(provider, env, registry)
    const lost = (problem === null ? [] : origins(provider, ""))
      .filter(({ from }) => from !== any[0]?.from)
      .map((one): KeyRow => ({ provider, origin: null, used: false, ...(problem !== null && { problem }), ...one }))
    const found = [...new Set([...(address === null ? [] : [address]), ...stored])].flatMap((origin) =>
      origins(provider, origin)
        .map((one, index): KeyRow => ({ provider, origin, used: index === 0, ...one }))
        // A variable is told where its provider is, also when other addresses have keys of their own.
        .filter(({ kind, from }) => from !== any[0]?.from && (kind !== "environment" || origin === address)),
    )
    return [...lost, ...found]
  })
  return ok([...any, ...own])
}

/** The origin that a provider's own keys go to, or why there is none; both null for one that Gong does not know. */
function addressIn(provider: string, env: KeySources["env"], registry: Registry) {
  const row = registry.find(provider)
  const url = row && addressOf(row, row.api, env)
  if (!row || !url) return { origin: null, problem: null }
  const problem = addressFault(row, url, env)
  return problem === null ? { origin: new URL(url).origin, problem } : { origin: null, problem }
}
