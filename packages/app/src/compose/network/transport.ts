import type { Model, Transport, TransportRequest, TransportResponse } from "@gong/spec"
import { type ClosableTransport, createTransport, publicAddressPolicy, systemAddresses } from "@gong/llm/transport"
import type { Settings } from "@gong/config/settings/resolve"
import type { Services } from "../../services.ts"
import type { RecordingDeps, SessionNetwork } from "./record.ts"

export type { RecordingDeps, SessionNetwork } from "./record.ts"

/** The network as the environment and the user's settings have it. */
export function openTransport({ env }: Pick<Services, "env">, { values }: Settings): ClosableTransport {
  return createTransport({ env, proxyLoopback: values["proxy.loopback"], systemCa: values["tls.systemCa"] })
}

/** The public internet and nothing else: what a model asks for is no way to this machine or to what lies behind it. */
export function openWeb(env: Services["env"], { values }: Settings): ClosableTransport {
  return createTransport({ env, systemCa: values["tls.systemCa"], addressPolicy: publicAddressPolicy(systemAddresses) })
}

/** A session that is not kept is not recorded. */
export async function sessionNetwork(
  services: Pick<Services, "env" | "onFirstReply">,
  settings: Settings,
  place: RecordingDeps,
): Promise<SessionNetwork> {
  const transport = reportFirstReply(openTransport(services, settings), services.onFirstReply)
  const over = (model: Model): Transport => place.inside(model) ?? transport
  if (settings.values.record === "off" || place.folder === null)
    return { over, unrecorded: over, begin: () => undefined, close: () => transport.close() }
  const { recordingNetwork } = await import("./record.ts")
  return recordingNetwork({ over, close: () => transport.close() }, place.folder, place)
}

/** Reports the beginning of the first reply; from then on requests go directly to the network. */
function reportFirstReply(network: ClosableTransport, onFirstReply: Services["onFirstReply"]): ClosableTransport {
  if (onFirstReply === undefined) return network
  const transport = {
    ...network,
    async send(request: TransportRequest): Promise<TransportResponse> {
      const response = await network.send(request)
      transport.send = network.send
      onFirstReply()
      return response
    },
  }
  return transport
}
