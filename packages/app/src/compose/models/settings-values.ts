import { systemRandom } from "../../ports.ts"
import type { LiveSettings } from "@gong/session/session"
import type { Config } from "../config.ts"

/** The settings of a running session, in the units of the session. */
export function liveSettings({ settings: { values } }: Config): Omit<LiveSettings, "compaction"> {
  return {
    answerTime: values["ask.timeout"] === null ? null : values["ask.timeout"] * 1000,
    writeGuard: values.writeGuard === "on",
    retry: { count: values["retry.count"], baseMs: values["retry.baseMs"], random: systemRandom },
    queue: { steer: values["queue.steer"], followUp: values["queue.followUp"] },
  }
}

/** Maximum silence of a streaming model, in milliseconds. */
export function streamTimeouts({ settings: { values } }: Config) {
  const firstEvent = values["stream.firstEvent"]
  const gap = values["stream.gap"]
  return {
    ...(firstEvent === null ? {} : { firstEvent: firstEvent * 1000 }),
    ...(gap === null ? {} : { gap: gap * 1000 }),
  }
}
