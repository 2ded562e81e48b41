import type { Model, Provider } from "@gong/spec"
import type { RequestContext } from "../protocol/errors/classify.ts"
import { createProvider, type ProviderPorts } from "../protocol/provider.ts"
import type { Protocol } from "../protocol/protocol.ts"
import { readError } from "./failure.ts"
import { chunksOf, ended, finish, start, type State, step } from "./reply.ts"
import { format } from "./request.ts"

export const protocol: Protocol<State> = {
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
  return createProvider(protocol, model, ports)
}

/** `models/ID`; an id with its own collection stays unchanged: `tunedModels/ID`. */
function resourceOf(id: string): string {
  const path = id.split("/").map(encodeURIComponent).join("/")
  return /^(models|tunedModels)\//.test(path) ? path : `models/${path}`
}

function keyHeader({ credential }: RequestContext): Readonly<Record<string, string>> {
  if (!credential) return {}
  return credential.bearer ? { authorization: `Bearer ${credential.key}` } : { "x-goog-api-key": credential.key }
}
