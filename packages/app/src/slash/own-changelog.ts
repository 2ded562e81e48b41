import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { isRecord, parseJson } from "@gong/spec"

/** How far above a source or a bundle its root can be. */
const maxUp = 6

/** Gong's own CHANGELOG.md, beside the sources or the bundle; null when it is not there. */
export function ownChangelog(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let up = 0; up < maxUp; up++) {
    const file = join(folder, "CHANGELOG.md")
    // Gong may lie inside a project with a changelog of its own.
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
