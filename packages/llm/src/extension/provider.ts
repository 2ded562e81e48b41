import type { Model, Provider } from "@gong/spec"
import { createProvider, type ProviderPorts } from "../protocol/provider.ts"
import type { Protocol } from "../protocol/protocol.ts"
import { readFailure } from "./failure.ts"
import { ended, finish, start, type State, step } from "./reply.ts"
import { format } from "./request.ts"

/** What Gong says to providers of extensions, and they to it: no bytes of it leave the process, but it is a wire like others. */
export const protocol: Protocol<State> = {
  path: () => "/stream",
  headers: ({ credential }) => (credential ? { authorization: `Bearer ${credential.key}` } : {}),
  format,
  start,
  step,
  // A stream is all that an extension can give.
  chunksOf: () => null,
  ended,
  finish,
  readError: readFailure,
}

export function extensionModels(model: Model, ports: ProviderPorts): Provider {
  return createProvider(protocol, model, ports)
}
