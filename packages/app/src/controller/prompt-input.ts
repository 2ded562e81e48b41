import type { ImageContent, Phrase, SeenFile } from "@gong/spec"

/** An image of a client. `data` is base64. */
export interface ClientImage {
  readonly mimeType: string
  readonly data: string
}

/** A message of the user, composed of the command line, stdin and mentioned files. */
export interface PromptInput {
  readonly text: string
  readonly images: readonly ImageContent[]
  /** The files in it. */
  readonly seen: readonly SeenFile[]
  /** Mentions that were sent as words, as sentences for the user. */
  readonly notes?: readonly Phrase[]
}
