import type { SeenFile, Static } from "@gong/spec"

export const parameters = {
  type: "object",
  properties: {
    path: { type: "string", description: "File to write" },
    content: { type: "string", description: "Its whole new text" },
  },
  required: ["path", "content"],
} as const

export type WriteArgs = Static<typeof parameters>

export type WriteDetails = {
  readonly path: string
  readonly byte_size: number
  readonly created: boolean
  readonly seen?: SeenFile
}
