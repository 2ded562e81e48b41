import { join } from "node:path"
import { type JsonObject, recordOf } from "./candidate.ts"
import type { ImportContext } from "./context.ts"
import { importServers } from "./mcp.ts"
import type { Translate } from "@gong/texts/translator"

// Agents and editors of which only the MCP servers are imported.

/** Gemini CLI: `httpUrl` is an HTTP server, and `url` one over SSE. */
export function readGeminiServers(t: Translate, context: ImportContext): Promise<readonly string[]> {
  const path = join(context.project ?? context.userHome, ".gemini", "settings.json")
  return readServers(t, context, path, "mcpServers", ({ httpUrl, url, timeout: _, trust: __, ...rest }) => ({
    ...rest,
    ...(typeof httpUrl === "string"
      ? { type: "http", url: httpUrl }
      : typeof url === "string"
        ? { type: "sse", url }
        : {}),
  }))
}

export function readCursorServers(t: Translate, context: ImportContext): Promise<readonly string[]> {
  return readServers(t, context, join(context.project ?? context.userHome, ".cursor", "mcp.json"), "mcpServers")
}

export function readVscodeServers(t: Translate, context: ImportContext): Promise<readonly string[]> {
  const { project, userHome } = context
  const path =
    project === null ? join(userHome, ".config", "Code", "User", "mcp.json") : join(project, ".vscode", "mcp.json")
  return readServers(t, context, path, "servers")
}

async function readServers(
  t: Translate,
  { source, candidates }: ImportContext,
  path: string,
  key: string,
  convert: (server: JsonObject) => JsonObject = (server) => server,
): Promise<readonly string[]> {
  const file = await source.json("mcp", path)
  if (file === null) return [path]
  const servers = Object.entries(recordOf(file.value[key]) ?? {}).map(([name, value]) => {
    const server = recordOf(value)
    return [name, server === null ? value : convert(server)]
  })
  await importServers(t, candidates, Object.fromEntries(servers), (name) => file.locationOf([key, name]))
  return [path]
}
