import type { Model, Provider } from "@gong/spec"
import { createProvider, type ProviderPorts } from "../protocol/provider.ts"
import type { Protocol } from "../protocol/protocol.ts"
import { readError } from "./failure.ts"
import { chunksOf, ended, finish, start, type State, step } from "./reply.ts"
import { format } from "./request.ts"

export const protocol: Protocol<State> = {
  path: () => "/chat/completions",
  headers: ({ credential }) => (credential ? { authorization: `Bearer ${credential.key}` } : {}),
  format,
  start,
  step,
  chunksOf,
  ended,
  finish,
  readError,
}

export function openaiCompletions(model: Model, ports: ProviderPorts): Provider {
  return createProvider(protocol, model, ports)
}
