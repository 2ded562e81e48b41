import type { Model } from "@gong/spec"
import { isLocal } from "../protocol/silence-timer.ts"
import { findProvider } from "../providers.ts"

/** Whether a user chose the server of a model: one of this machine or network, or one that Gong does not know. */
export function isUserHosted({ api, provider, baseUrl }: Pick<Model, "api" | "provider" | "baseUrl">): boolean {
  if (api === "extension" || api === "scripted") return false
  const row = findProvider(provider)
  return row === undefined || row.local !== undefined || isLocal(baseUrl)
}

/** Whether its server is on this machine or network, so that it may be asked for more than replies. */
export function isNearby({ api, provider, baseUrl }: Pick<Model, "api" | "provider" | "baseUrl">): boolean {
  if (api === "extension" || api === "scripted") return false
  return findProvider(provider)?.local !== undefined || isLocal(baseUrl)
}
