import type { Model, Provider } from "@gong/spec"
import type { Asked } from "../wire/classify.ts"
import { createProvider, type ProviderPorts } from "../wire/provider.ts"
import type { Wire } from "../wire/wire.ts"
import { readError } from "./failure.ts"
import { chunksOf, ended, finish, start, type State, step } from "./reply.ts"
import { format } from "./request.ts"

export const wire: Wire<State> = {
  path: () => "/v1/messages",
  headers: (asked) => ({ "anthropic-version": "2023-06-01", ...keyHeader(asked) }),
  format,
  start,
  step,
  chunksOf,
  ended,
  finish,
  readError,
}

export function anthropicMessages(model: Model, ports: ProviderPorts): Provider {
  return createProvider(wire, model, ports)
}

function keyHeader({ credential }: Asked): Readonly<Record<string, string>> {
  if (!credential) return {}
  return credential.bearer ? { authorization: `Bearer ${credential.key}` } : { "x-api-key": credential.key }
}
