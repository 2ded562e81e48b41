import type { TelemetrySubscriber } from "@gong/spec"
import type { Services } from "../../services.ts"
import { channelSubscriber } from "./channels.ts"

/** Where every copy of `@opentelemetry/api` 1.x keeps what an SDK has registered. */
const registeredKey = Symbol.for("opentelemetry.js.api.1")

/**
 * All who look on from outside a session: subscribers of channels, and an OpenTelemetry SDK that the user has loaded into this
 * process (`NODE_OPTIONS=--import ...`). None is looked for on the disk: what lies in a repository's node_modules is not ours
 * to run.
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
      for (const one of all) if (one.wants(event.event)) guarded(() => one.receive(event))
    },
  }
}

function guarded(work: () => void): void {
  try {
    work()
  } catch {
    // An exporter of the user's that fails must not end the run that it watches.
  }
}
