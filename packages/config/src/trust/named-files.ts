import type { TrustHost } from "@gong/spec"
import { findAll } from "./folder-files.ts"

/** Maximum number of words per file, and of files found by them. */
const maxWords = 2_000
const maxFiles = 100

/**
 * Files below `root` named in the commands of a settings file: `./scripts/lint.sh`, `"$CLAUDE_PROJECT_DIR"/hooks/x.py`. They run
 * outside the sandbox, so they are active content. Programs that they start in turn are unknown here. A settings file without
 * hooks names none.
 */
export async function namedFiles(host: TrustHost, root: string, text: string): Promise<readonly string[]> {
  if (!/"(?:hooks|mcpServers)"|hooks\s*:/.test(text)) return []
  const words = text.split(/[\s"'`;|&()<>{}[\]=,\\]+/, maxWords)
  const paths = [...new Set(words.map((word) => inside(root, word)).filter((path) => path !== null))]
  const found = await findAll(host, root, paths)
  return paths.filter((_, at) => found[at]?.kind === "file").slice(0, maxFiles)
}

/** The possible path of a word inside the root; null if it is certainly none. */
function inside(root: string, word: string): string | null {
  const bare = word
    .replace(/^\$\{?(?:CLAUDE|GONG)_PROJECT_DIR\}?/, ".")
    .replace(/^(?:CLAUDE|GONG)_PROJECT_DIR/, ".")
    .replace(`${root}/`, "")
    .replace(/^(?:\.?\/)+/, "")
  // A word without a dot or a slash is a program or an option; checking each as a file would be slow.
  if (!/[./]/.test(bare) || bare.length > 500) return null
  return bare.split("/").includes("..") || bare.includes("//") ? null : bare
}
