import { type Host, phrase } from "@gong/spec"
import { expandMentions } from "@gong/config/mentions"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome, usage } from "@gong/config/usage"
import type { ClientImage, PromptInput } from "../../controller/prompt-input.ts"
import type { Services } from "../../services.ts"
import { decodeMention, imageOpener } from "./image-opener.ts"

/** A message of another program. */
export interface ClientInput {
  readonly text: string
  readonly images?: readonly ClientImage[]
  /** `@path` in the text includes the file. */
  readonly mentions?: boolean
}

export interface ClientInputDeps {
  readonly services: Services
  readonly spec: SessionSpec
  /** Of the session. */
  readonly host: Host
  readonly cwd: string
}

/** The message as it is sent to the model, with resized images. An unusable image is an error. */
export function readClientInput(
  { services, spec, host, cwd }: ClientInputDeps,
  { text, images = [], mentions = false }: ClientInput,
): Promise<Outcome<PromptInput>> {
  return attempt(async () => {
    const openImage = imageOpener(services, spec)
    const query = { words: [text], images: [], host, cwd, openImage, decode: decodeMention }
    const expanded = mentions ? must(await expandMentions(query)) : { text, images: [], seen: [], notes: [] }
    const fitted = []
    for (const [at, { mimeType, data }] of images.entries()) {
      const opened = await openImage(Buffer.from(data, "base64"))
      if (opened === null) must(usage(phrase`image ${at + 1} (${mimeType}) is no image in base64.`))
      else if (!opened.ok) must(usage(phrase`image ${at + 1}: ${opened.problem}`))
      else fitted.push(opened.image)
    }
    return { ...expanded, images: [...expanded.images, ...fitted] }
  })
}
