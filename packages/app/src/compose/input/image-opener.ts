import type { MentionQuery } from "@gong/config/mentions"
import type { SessionSpec } from "@gong/config/session-spec"
import type { Services } from "../../services.ts"
import { readConfig } from "../config.ts"

/** Resizes images of a prompt as the read tool does. Reads the settings at the first image. */
export function imageOpener(services: Services, spec: SessionSpec): MentionQuery["openImage"] {
  const { signal } = new AbortController()
  return async (bytes) => {
    const { fitImage, imageType } = await import("@gong/tools/image")
    const type = imageType(bytes)
    if (type === null) return null
    const config = await readConfig(services, spec)
    // Errors of the settings are reported when the session is opened.
    return fitImage(bytes, type, {
      ...(config.ok && { maxBytes: config.value.settings.values["images.maxSize"] }),
      signal,
    })
  }
}

/** Decodes texts of a prompt as the read tool does. */
export const decodeMention: MentionQuery["decode"] = async (bytes) =>
  (await import("@gong/tools/decode")).decodeText(bytes)
