import type { Session } from "@gong/session/session"
import type { ModelData } from "./data.ts"

/** The model of the next run. */
export function modelOf({ selection: { provider, thinking } }: Session): ModelData {
  const { model } = provider
  return { model: `${model.provider}/${model.id}`, thinking, contextWindow: model.contextWindow }
}
