import { baseUrlFault, type ModelApi } from "@gong/spec"
import { addressFault, addressOf, checkKey, type ProviderRow, tidyBaseUrl } from "@gong/llm"
import type { ClosableTransport } from "@gong/llm/transport"
import { storeKey } from "@gong/config/auth"
import { prepareHome } from "@gong/config/home"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { signalAfter } from "../../ports.ts"
import type { Translate } from "@gong/texts/translator"

/** The provider of a key, and the address that it is sent to. */
export interface KeyEndpoint extends Pick<ProviderRow, "id" | "name" | "keyCheck" | "modelsPath"> {
  readonly api: ModelApi
  readonly baseUrl: string
}

export interface KeyOutcome {
  /** False: the provider refused the key. */
  readonly stored: boolean
  /** One sentence for the user, without the key. */
  readonly text: string
}

/** Time limit of the request, in milliseconds. */
const checkTimeout = 15_000

/** Checks a key with one free request, and stores it for its origin unless it was refused. */
export async function checkAndStoreKey(
  t: Translate,
  home: string,
  endpoint: KeyEndpoint,
  key: string,
  transport: ClosableTransport,
): Promise<Outcome<KeyOutcome>> {
  const check = await checkKey(endpoint, key, transport, signalAfter(checkTimeout))
  if (check.verdict === "refused") {
    return ok({ stored: false, text: t`${endpoint.name} refused the key (${check.why}). It was not stored.` })
  }
  const ready = prepareHome(home)
  if (!ready.ok) return ready
  const { origin } = new URL(endpoint.baseUrl)
  const written = await storeKey(home, endpoint.id, { key, origin })
  if (!written.ok) return written
  const result = check.verdict === "good" ? t`works` : t`could not be checked (${check.why})`
  const warning = isUnencrypted(endpoint.baseUrl) ? t` The connection is not encrypted.` : ""
  const text = t`The key for ${endpoint.name} ${result}. It is stored in ${home}/auth.json and sent to ${origin} only.${warning}`
  return ok({ stored: true, text })
}

/** A known provider at the address of the environment; an invalid address is refused. */
export function providerEndpoint(
  row: ProviderRow,
  env: Readonly<Record<string, string | undefined>>,
): Outcome<KeyEndpoint> {
  const address = addressOf(row, row.api, env) ?? row.baseUrl
  const fault = addressFault(row, address, env)
  return fault === null ? ok({ ...row, baseUrl: tidyBaseUrl(address) }) : usage(fault)
}

/** An endpoint that is not in the table of providers; the address must be http or https. */
export function customEndpoint(baseUrl: string, api: ModelApi = "openai-completions"): Outcome<KeyEndpoint> {
  const fault = baseUrlFault(baseUrl)
  if (fault !== null) return usage(fault)
  return ok({ id: "custom", name: new URL(baseUrl).host, api, baseUrl: tidyBaseUrl(baseUrl) })
}

function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
