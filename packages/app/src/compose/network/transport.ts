import type { Model, Transport, TransportRequest, TransportResponse } from "@gong/spec"
import { type ClosableTransport, createTransport, publicAddressPolicy, systemAddresses } from "@gong/llm/transport"
import type { Settings } from "@gong/config/settings/resolve"
import type { Services } from "../../services.ts"
import type { RecordingDeps, SessionNetwork } from "./record.ts"

export type { RecordingDeps, SessionNetwork } from "./record.ts"

/** The network with the proxies and settings of the user. */
export function openTransport({ env }: Pick<Services, "env">, { values }: Settings): ClosableTransport {
  return createTransport({ env, proxyLoopback: values["proxy.loopback"], systemCa: values["tls.systemCa"] })
}

/** Only the public internet, so that a URL of a model cannot reach this machine or its private networks. */
export function openWeb(env: Services["env"], { values }: Settings): ClosableTransport {
  return createTransport({ env, systemCa: values["tls.systemCa"], addressPolicy: publicAddressPolicy(systemAddresses) })
}

/** A session in memory is not recorded. */
export async function sessionNetwork(
  services: Pick<Services, "env" | "onFirstReply">,
  settings: Settings,
  deps: RecordingDeps,
): Promise<SessionNetwork> {
  const transport = reportFirstReply(openTransport(services, settings), services.onFirstReply)
  const over = (model: Model): Transport => deps.customTransport(model) ?? transport
  if (settings.values.record === "off" || deps.folder === null)
    return { over, unrecorded: over, attach: () => undefined, close: () => transport.close() }
  const { recordingNetwork } = await import("./record.ts")
  return recordingNetwork({ over, close: () => transport.close() }, deps.folder, deps)
}

/** Reports the start of the first reply; later requests go directly to the network. */
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
