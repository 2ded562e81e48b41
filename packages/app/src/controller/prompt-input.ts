import type { ImageContent, Phrase, SeenFile } from "@gong/spec"

/** A message of the user, composed of the command line, stdin and mentioned files. */
export interface PromptInput {
  readonly text: string
  readonly images: readonly ImageContent[]
  /** The files in it. */
  readonly seen: readonly SeenFile[]
  /** Mentions that were sent as words, as sentences for the user. */
  readonly notes?: readonly Phrase[]
}
