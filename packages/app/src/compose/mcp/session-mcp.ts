import { existsSync } from "node:fs"
import { join } from "node:path"
import { mcpFile } from "@gong/config/mcp/read"
import type { SessionContext } from "../config.ts"
import type { SessionOptions } from "../opened-session.ts"
import { deferredMcp } from "./deferred-mcp.ts"
import { type McpOptions, none, type SessionMcp } from "./parts.ts"

interface SessionMcpOptions extends McpOptions {
  readonly options: SessionOptions
}

/** Without a file that names servers nothing is read and no code is loaded; in a session that defers it, not at the start. */
export async function sessionMcp(options: SessionMcpOptions): Promise<SessionMcp> {
  if (!hasServers(options)) return none
  // Chosen tools may be those of servers.
  const isDeferred = options.options.defersServers === true && options.config.settings.values.tools === "default"
  const load = async () => (await import("./load-mcp.ts")).loadMcp(options)
  return isDeferred ? deferredMcp(options.services.t, load) : load()
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
