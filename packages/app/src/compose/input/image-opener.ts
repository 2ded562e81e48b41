import type { MentionQuery } from "@gong/config/mentions"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Services } from "../../services.ts"
import { readConfig } from "../config.ts"

/** Images of the prompt are made to fit as those that the read tool finds; settings are asked only when there is one. */
export function imageOpener(services: Services, spec: SessionSpec): MentionQuery["openImage"] {
  const { signal } = new AbortController()
  return async (bytes) => {
    const { fitImage, imageType } = await import("@gong/tools/image")
    const type = imageType(bytes)
    if (type === null) return null
    const config = await readConfig(services, spec)
    // What is wrong with the settings is said when the session is built.
    return fitImage(bytes, type, {
      ...(config.ok && { maxBytes: config.value.settings.values["images.maxSize"] }),
      signal,
    })
  }
}
