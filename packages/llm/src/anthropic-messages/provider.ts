import type { Model, Provider } from "@gong/spec"
import type { RequestContext } from "../protocol/errors/classify.ts"
import { createProvider, type ProviderPorts } from "../protocol/provider.ts"
import type { Protocol } from "../protocol/protocol.ts"
import { readError } from "./failure.ts"
import { chunksOf, ended, finish, start, type State, step } from "./reply.ts"
import { format } from "./request.ts"

export const protocol: Protocol<State> = {
  path: () => "/v1/messages",
  headers: (context) => ({ "anthropic-version": "2023-06-01", ...keyHeader(context) }),
  format,
  start,
  step,
  chunksOf,
  ended,
  finish,
  readError,
}

export function anthropicMessages(model: Model, ports: ProviderPorts): Provider {
  return createProvider(protocol, model, ports)
}

function keyHeader({ credential }: RequestContext): Readonly<Record<string, string>> {
  if (!credential) return {}
  return credential.bearer ? { authorization: `Bearer ${credential.key}` } : { "x-api-key": credential.key }
}
