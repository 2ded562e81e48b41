import type { BuiltInOptions, TaskOptions } from "@gong/tools"
import type { Settings } from "@gong/config/settings/resolve"
import type { Services } from "../../services.ts"
import { systemClock } from "../../ports.ts"
import { openWeb } from "../network/transport.ts"

export interface ExtraToolDeps {
  readonly env: Services["env"]
  readonly settings: Settings
  readonly runTask: TaskOptions["run"]
}

/** Options of the tools that are off by default. Their code is loaded at the first call. */
export function extraOptions({ env, settings, runTask }: ExtraToolDeps): Pick<BuiltInOptions, "fetch" | "task"> {
  const { values } = settings
  const off =
    "The network is off in this session (--network off), for fetch too. Go on without it, or say what you need."
  return {
    fetch: {
      network: async () => openWeb(env, settings),
      refusal: () => (values.network === "off" ? off : null),
      clock: systemClock,
      userAgent: "gong",
      imageMaxBytes: values["images.maxSize"],
    },
    task: { run: runTask },
  }
}
