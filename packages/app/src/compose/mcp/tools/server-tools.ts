import type { Tool, ToolContext, ToolResult } from "@gong/spec"
import { type CallContext, type McpServer, resultOf, type ServerTool } from "@gong/mcp"

/** A tool with its server. */
export interface OfferedTool {
  readonly server: McpServer
  /** Its program runs here, so that it may change files of the workspace. */
  readonly local: boolean
  readonly tool: ServerTool
}

export interface ServerToolDeps {
  /** Maximum bytes of one image as sent. */
  readonly imageMaxBytes: number
  /** The same for all calls of one session. */
  readonly session: unknown
}

/** A tool of a server that the model calls by its full name. */
export function serverTool(offered: OfferedTool, deps: ServerToolDeps): Tool {
  const { server, tool, local } = offered
  return {
    name: tool.exposed,
    label: tool.exposed,
    description: tool.description,
    parameters: tool.schema,
    foreignSchema: true,
    // Its files are compared before and after a call; a server elsewhere does not reach them.
    effect: local ? "execute" : "network",
    serverTool: () => tool.exposed,
    aliases: [`mcp__${server.name}__${tool.name}`],
    promptSnippet: "",
    promptGuidelines: [],
    readOnly: false,
    interruptible: true,
    keepsTime: true,
    title: (args) => callTitle(args),
    preview: async (args: Readonly<Record<string, unknown>>) => previewOf(offered, args),
    execute: (_callId, args: Readonly<Record<string, unknown>>, context) => callServer(offered, args, context, deps),
  }
}

/** What the user is asked about: the server, the tool and the arguments as they are sent. */
export function previewOf({ server, tool }: OfferedTool, args: Readonly<Record<string, unknown>>) {
  const preview = { kind: "server", server: server.name, tool: tool.name, arguments: JSON.stringify(args) } as const
  return { ok: true, preview } as const
}

const maxTitle = 120

export function callTitle(args: Readonly<Record<string, unknown>>): string {
  const text = Object.keys(args).length === 0 ? "" : JSON.stringify(args)
  return text.length > maxTitle ? `${text.slice(0, maxTitle - 3)}...` : text
}

/** Calls a tool and converts its result. */
export async function callServer(
  { server, tool }: OfferedTool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
  deps: ServerToolDeps,
): Promise<ToolResult> {
  const result = resultOf(await server.call(tool.name, args, callContext(context, deps)))
  const { partsResult } = await import("@gong/tools/parts")
  const { content, details } = await partsResult("", result.parts, { imageMaxBytes: deps.imageMaxBytes }, context)
  return { content, details: { ...details, server: server.name, tool: tool.name }, isError: result.isError }
}

export function callContext({ signal, dialog, onProgress }: ToolContext, { session }: ServerToolDeps): CallContext {
  return { signal, session, onProgress, ...(dialog && { ask: dialog }) }
}

export function unknownTool(name: string): string {
  return `There is no tool ${name} on any MCP server. Call this tool with a query to find one.`
}

export function textResult(text: string, isError: boolean): ToolResult {
  return { content: [{ type: "text", text }], details: null, isError }
}
