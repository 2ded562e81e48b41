import type { TelemetrySubscriber } from "@gong/spec"
import type { Services } from "../../services.ts"
import { channelSubscriber } from "./channels.ts"

/** The global in which every copy of `@opentelemetry/api` 1.x finds the registered SDK. */
const registeredKey = Symbol.for("opentelemetry.js.api.1")

/**
 * Subscribers outside the session: diagnostics channels, and an OpenTelemetry SDK that the user loaded into this process
 * (`NODE_OPTIONS=--import ...`). An SDK is never loaded from the disk, since the node_modules of a repository are untrusted.
 */
export async function telemetrySubscribers({ env, version }: Services): Promise<TelemetrySubscriber> {
  const all = [channelSubscriber()]
  const registered: unknown = Reflect.get(globalThis, registeredKey)
  if (typeof registered === "object" && registered !== null) {
    const { telemetry } = await import("@gong/extensions/hooks/telemetry")
    const content = env["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"]?.toLowerCase() === "true"
    all.push(telemetry(registered, { version, content }))
  }
  return {
    wants: (name) => all.some((one) => one.wants(name)),
    receive(event) {
      for (const one of all) if (one.wants(event.event)) ignoringErrors(() => one.receive(event))
    },
  }
}

function ignoringErrors(work: () => void): void {
  try {
    work()
  } catch {
    // A failing exporter must not end the observed run.
  }
}
