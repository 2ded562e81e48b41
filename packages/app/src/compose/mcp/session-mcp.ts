import { existsSync } from "node:fs"
import { join } from "node:path"
import { mcpFile } from "@gong/config/mcp/read"
import type { SessionContext } from "../config.ts"
import { type McpOptions, none, type SessionMcp } from "./parts.ts"

/** Without a file that names servers nothing is read and no code is loaded. */
export async function sessionMcp(options: McpOptions): Promise<SessionMcp> {
  if (!hasServers(options)) return none
  const { loadMcp } = await import("./load-mcp.ts")
  return loadMcp(options)
}

export function hasServers({ spec, config }: SessionContext): boolean {
  if (spec.bare === true) return false
  return (
    existsSync(join(config.home, mcpFile)) || [...(config.trusted?.files.keys() ?? [])].some((path) => isMcpFile(path))
  )
}

function isMcpFile(path: string): boolean {
  return path.endsWith(mcpFile)
}
