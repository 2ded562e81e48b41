import type { JsonSchema, Static } from "@gong/spec"

const text = { type: "string", minLength: 1 } as const
const texts = { type: "object", additionalProperties: { type: "string" } } as const
const seconds = { type: "number", exclusiveMinimum: 0, maximum: 86_400 } as const
const list = { type: "array", items: { type: "string" } } as const

/** One server in `mcpServers`. Fields of other agents that Gong does not have are accepted and have no effect. */
export const serverSchema = {
  type: "object",
  properties: {
    type: {
      enum: ["stdio", "http", "streamable-http", "sse"],
      description: "default: stdio with a command, else http",
    },
    command: { ...text, description: "the program of a stdio server" },
    args: { ...list, description: "its arguments" },
    env: { ...texts, description: "variables in addition to the scrubbed environment" },
    cwd: { ...text, description: "default: the workspace" },
    url: { ...text, pattern: "^https?://", description: "the address of an HTTP server" },
    headers: { ...texts, description: "sent to the origin of the address only" },
    disabled: { type: "boolean", description: "true: not used" },
    timeout: { ...seconds, description: "seconds of one call; default 600" },
    sandbox: { type: "boolean", description: "false: outside the sandbox of commands; in the user's file only" },
    oauth: {
      type: "object",
      additionalProperties: false,
      properties: {
        clientId: { ...text, description: "a registered client; default: the server registers one" },
        clientSecret: text,
        clientMetadataUrl: { ...text, pattern: "^https://", description: "the address of a client metadata document" },
        scopes: { ...list, description: "default: those that the server names" },
      },
    },
  },
} as const satisfies JsonSchema

export type ServerEntry = Static<typeof serverSchema>
