import { phrase, type Text } from "@gong/spec"
import { addressFault, addressOf, keyVariables, type Registry } from "@gong/llm"
import type { AuthFile } from "@gong/config/auth"
import { createCredentials, type KeyOrigin } from "@gong/config/credentials"
import { ok, type Outcome, usage } from "@gong/config/usage"

/** The source of one key, without the key. */
export interface KeyRow extends KeyOrigin {
  /** Null: any provider. */
  readonly provider: string | null
  /** The origin that it is sent to; null for any provider, and with a problem. */
  readonly origin: string | null
  /** False: another key has precedence, or there is a problem. */
  readonly used: boolean
  /** The address of its provider is invalid. */
  readonly problem?: Text
}

export interface KeySources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly auth: AuthFile | null
  readonly registry: Registry
}

/** All keys of the environment and of `auth.json`, by provider. Runs no command and sends nothing. */
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
        // A variable is listed at the address of its provider, even if other addresses have their own keys.
        .filter(({ kind, from }) => from !== any[0]?.from && (kind !== "environment" || origin === address)),
    )
    return [...lost, ...found]
  })
  return ok([...any, ...own])
}

/** The origin that keys of this provider are sent to, or the problem of its address; both null for an unknown provider. */
function addressIn(provider: string, env: KeySources["env"], registry: Registry) {
  const row = registry.find(provider)
  const url = row && addressOf(row, row.api, env)
  if (!row || !url) return { origin: null, problem: null }
  const problem = addressFault(row, url, env)
  return problem === null ? { origin: new URL(url).origin, problem } : { origin: null, problem }
}
