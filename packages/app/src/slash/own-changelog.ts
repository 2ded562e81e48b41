import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { isRecord, parseJson } from "@gong/spec"

/** Maximum distance of the root from a source file or the bundle. */
const maxLevels = 6

/** Gong's own CHANGELOG.md, beside the sources or the bundle; null if it is missing. */
export function ownChangelog(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let level = 0; level < maxLevels; level++) {
    const file = join(folder, "CHANGELOG.md")
    // Gong may be installed inside a project with its own changelog.
    if (existsSync(file) && isGong(join(folder, "package.json"))) return readFileSync(file, "utf8")
    folder = dirname(folder)
  }
  return null
}

function isGong(manifest: string): boolean {
  try {
    const read = parseJson(readFileSync(manifest, "utf8"))
    return isRecord(read) && ["gong", "gong-workspace"].includes(String(read["name"]))
  } catch {
    return false
  }
}
