import type { Model, Provider } from "@gong/spec"
import type { Asked } from "../wire/classify.ts"
import { createProvider, type ProviderPorts } from "../wire/provider.ts"
import type { Wire } from "../wire/wire.ts"
import { readError } from "./failure.ts"
import { chunksOf, ended, finish, start, type State, step } from "./reply.ts"
import { format } from "./request.ts"

export const wire: Wire<State> = {
  path: ({ id, wireId }) => `/${resourceOf(wireId ?? id)}:streamGenerateContent?alt=sse`,
  headers: keyHeader,
  format,
  start,
  step,
  chunksOf,
  ended,
  finish,
  readError,
}

export function googleGenerativeAi(model: Model, ports: ProviderPorts): Provider {
  return createProvider(wire, model, ports)
}

/** `models/ID`, and what has a collection of its own as it is: `tunedModels/ID`. */
function resourceOf(id: string): string {
  const path = id.split("/").map(encodeURIComponent).join("/")
  return /^(models|tunedModels)\//.test(path) ? path : `models/${path}`
}

function keyHeader({ credential }: Asked): Readonly<Record<string, string>> {
  if (!credential) return {}
  return credential.bearer ? { authorization: `Bearer ${credential.key}` } : { "x-goog-api-key": credential.key }
}
