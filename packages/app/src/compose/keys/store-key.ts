import { baseUrlFault, type ModelApi } from "@gong/spec"
import { addressFault, addressOf, checkKey, type ProviderRow, tidyBaseUrl } from "@gong/llm"
import type { ClosableTransport } from "@gong/llm/transport"
import { storeKey } from "@gong/config/auth"
import { prepareHome } from "@gong/config/home"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { signalAfter } from "../../ports.ts"
import type { Translate } from "@gong/texts/translator"

/** Whose key it is, and where it will go. */
export interface KeyEndpoint extends Pick<ProviderRow, "id" | "name" | "keyCheck" | "modelsPath"> {
  readonly api: ModelApi
  readonly baseUrl: string
}

export interface Kept {
  /** False: the provider refused it, and nothing was stored. */
  readonly kept: boolean
  /** For people, with its end; names no key. */
  readonly text: string
}

/** Milliseconds for the one request. */
const checkWait = 15_000

/** Tries a key with one free request and keeps it for its origin, unless it is refused. One that nothing can be said about is kept, and that is said. */
export async function checkAndStoreKey(
  t: Translate,
  home: string,
  goal: KeyEndpoint,
  key: string,
  transport: ClosableTransport,
): Promise<Outcome<Kept>> {
  const check = await checkKey(goal, key, transport, signalAfter(checkWait))
  if (check.verdict === "refused") {
    return ok({ kept: false, text: t`${goal.name} refused the key (${check.why}). It was not kept.` })
  }
  const ready = prepareHome(home)
  if (!ready.ok) return ready
  const { origin } = new URL(goal.baseUrl)
  const written = await storeKey(home, goal.id, { key, origin })
  if (!written.ok) return written
  const result = check.verdict === "good" ? t`works` : t`could not be checked (${check.why})`
  const open = isOpen(goal.baseUrl) ? t` On its way there it is not encrypted.` : ""
  const text = t`The key for ${goal.name} ${result}. It is kept in ${home}/auth.json and goes to ${origin} only.${open}`
  return ok({ kept: true, text })
}

/** A provider that Gong knows, at the address that the environment gives it; one where it cannot be asked is refused. */
export function providerEndpoint(
  row: ProviderRow,
  env: Readonly<Record<string, string | undefined>>,
): Outcome<KeyEndpoint> {
  const address = addressOf(row, row.api, env) ?? row.baseUrl
  const fault = addressFault(row, address, env)
  return fault === null ? ok({ ...row, baseUrl: tidyBaseUrl(address) }) : usage(fault)
}

/** Where to a key for any endpoint goes; what is no http address is refused. */
export function customEndpoint(baseUrl: string, api: ModelApi = "openai-completions"): Outcome<KeyEndpoint> {
  const fault = baseUrlFault(baseUrl)
  if (fault !== null) return usage(fault)
  return ok({ id: "custom", name: new URL(baseUrl).host, api, baseUrl: tidyBaseUrl(baseUrl) })
}

function isOpen(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
