import type { Model } from "@gong/spec"
import { isLocal } from "../protocol/silence-timer.ts"
import { findProvider } from "../providers.ts"

type Place = Pick<Model, "api" | "provider" | "baseUrl">

/** Whether the server of a model is on this machine or network. */
export function isNearby({ api, provider, baseUrl }: Place): boolean {
  if (api === "extension" || api === "scripted") return false
  return findProvider(provider)?.local !== undefined || isLocal(baseUrl)
}

/** Whether a user chose the server of a model: a near one, or one that is not built in. */
export function isUserHosted(model: Place): boolean {
  const { api, provider } = model
  return isNearby(model) || (api !== "extension" && api !== "scripted" && findProvider(provider) === undefined)
}
