import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseJson } from "@gong/spec"
import { makeFolder, writePrivateFile } from "@gong/config/home"
import { recordIn, type RecordStore } from "@gong/mcp"

/** Bytes of a record that is read; a larger one counts as none. */
const maxBytes = 16_000_000

/**
 * The record of a server below Gong's home, one file for each name and configuration. It is no cache: it holds what the user
 * has accepted.
 */
export function recordFile(home: string, server: string, key: string): RecordStore {
  const folder = join(home, "mcp")
  const file = `${server}-${key.slice(0, 16)}.json`
  return {
    load() {
      try {
        const text = readFileSync(join(folder, file), "utf8")
        return text.length > maxBytes ? null : recordIn(parseJson(text))
      } catch {
        return null
      }
    },
    save(record) {
      try {
        makeFolder(folder)
        writePrivateFile(folder, file, JSON.stringify(record))
      } catch {
        // Without a writable home the record holds for this process.
      }
    },
  }
}

/** The files of the records of a server, in all configurations. */
export function recordNames(home: string, name: string): readonly string[] {
  const folder = join(home, "mcp")
  try {
    const names = readdirSync(folder).filter((file) => /^[0-9a-f]{16}\.json$/.test(file.slice(name.length + 1)))
    return names.filter((file) => file.startsWith(`${name}-`)).map((file) => join(folder, file))
  } catch {
    return []
  }
}
