import type { Model, Provider } from "@gong/spec"
import { createProvider, type ProviderPorts } from "../protocol/provider.ts"
import type { Protocol } from "../protocol/protocol.ts"
import { readFailure } from "./failure.ts"
import { ended, finish, start, type State, step } from "./reply.ts"
import { format } from "./request.ts"

/** The format between Gong and providers of extensions. No bytes of it leave the process, but it works like any wire format. */
export const protocol: Protocol<State> = {
  path: () => "/stream",
  headers: ({ credential }) => (credential ? { authorization: `Bearer ${credential.key}` } : {}),
  format,
  start,
  step,
  // Extensions can only stream.
  chunksOf: () => null,
  ended,
  finish,
  readError: readFailure,
}

export function extensionModels(model: Model, ports: ProviderPorts): Provider {
  return createProvider(protocol, model, ports)
}
