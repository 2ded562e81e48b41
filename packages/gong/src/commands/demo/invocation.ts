import { existsSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Cli } from "../../cli.ts"

/** The command that starts Gong: its name, npx in a checkout, or the path of its file. */
export function invocation(cli: Cli): string {
  const path = (cli.env["PATH"] ?? "").split(delimiter)
  // npm adds these folders to the PATH of its scripts; the shell of the user does not have them.
  const own = path.filter((folder) => !folder.includes("node_modules") && !folder.endsWith("node-gyp-bin"))
  if (own.some((folder) => existsSync(join(folder, "gong")))) return "gong"
  const startedIn = cli.env["INIT_CWD"] ?? cli.cwd
  if (existsSync(join(startedIn, "node_modules", ".bin", "gong"))) return "npx gong"
  return `node ${launcher()}`
}

/** `bin/gong.js`, searched upward from this file, which is deeper in the sources than in the bundle. */
function launcher(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, "bin", "gong.js")
    if (existsSync(file) || folder === dirname(folder)) return file
  }
}
