import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord, parseJson } from "@gong/spec"
import { makeFolder, writePrivateFile } from "@gong/config/home"
import type { McpServerConfig } from "@gong/config/mcp/read"
import { recordIn, type RecordStore } from "@gong/mcp"
import type { McpOptions } from "./parts.ts"

/** Characters of a record that is read; a larger one counts as none. */
const maxLength = 16_000_000

/**
 * The record of a server below Gong's home: one file for each name, of a repository's server for its name and folder. It holds
 * for the configuration that is written in it, and for no other. It is no cache: it holds what the user has accepted.
 */
export function recordFile(options: McpOptions, server: McpServerConfig): RecordStore {
  const { config } = options
  const folder = join(config.home, "mcp")
  const configuration = identityOf(options, server)
  const isProject = server.level === "project"
  const file = `${server.name}${isProject ? `@${encodeURIComponent(config.workspace.folder).slice(-150)}` : ""}.json`
  return {
    load() {
      try {
        const text = readFileSync(join(folder, file), "utf8")
        const stored = text.length > maxLength ? null : parseJson(text)
        if (!isRecord(stored) || JSON.stringify(stored["configuration"]) !== JSON.stringify(configuration)) return null
        return recordIn(stored)
      } catch {
        return null
      }
    },
    save(record) {
      try {
        makeFolder(folder)
        writePrivateFile(folder, file, JSON.stringify({ configuration, ...record }))
      } catch {
        // Without a writable home the record holds for this process.
      }
    },
  }
}

/** What a record holds for: other fields of the entry than these do not make it another server. */
function identityOf(options: McpOptions, server: McpServerConfig): readonly unknown[] {
  const [written = null, folder] = configurationOf(options, server)
  const { command, args, cwd, url } = parseJson(written ?? "{}") as McpServerConfig["entry"]
  return [{ command, args, cwd, url }, folder]
}

/** The entry as it is written, and for a server of a repository its folder. */
export function configurationOf(
  { config }: McpOptions,
  { written, level }: McpServerConfig,
): readonly (string | null)[] {
  return [written, level === "project" ? config.workspace.folder : null]
}

/** The files of the records of a server. */
export function recordNames(home: string, name: string): readonly string[] {
  const folder = join(home, "mcp")
  try {
    const names = readdirSync(folder).filter((file) => file === `${name}.json` || file.startsWith(`${name}@`))
    return names.map((file) => join(folder, file))
  } catch {
    return []
  }
}
