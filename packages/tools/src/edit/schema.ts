import type { SeenFile, Static } from "@gong/spec"

export const parameters = {
  type: "object",
  properties: {
    path: { type: "string", description: "File to edit" },
    edits: {
      type: "array",
      minItems: 1,
      description: "Matched against the original file, not one after the other",
      items: {
        type: "object",
        properties: {
          oldText: { type: "string", description: "Exact text, unique in the file" },
          newText: { type: "string" },
          replaceAll: { type: "boolean" },
        },
        required: ["oldText", "newText"],
      },
    },
  },
  required: ["path", "edits"],
} as const

export type EditArgs = Static<typeof parameters>

export type EditDetails = {
  readonly path: string
  /** One text, or a list in call order for several replacements. */
  readonly old_text: string | readonly string[]
  readonly new_text: string | readonly string[]
  /** Number of rows added and removed. */
  readonly diff_lines: number
  readonly diff: string
  readonly firstChangedLine: number
  /** Whether the text matched only after normalization of quotes, dashes, blanks or Unicode. */
  readonly usedFuzzy: boolean
  readonly encoding: string
  readonly seen?: SeenFile
}
