import type { ImageContent, SeenFile } from "@gong/spec"

/** What the user asks: the words of the command line, stdin and mentioned files, already put together. */
export interface PromptInput {
  readonly text: string
  readonly images: readonly ImageContent[]
  /** The files among them. */
  readonly seen: readonly SeenFile[]
}
