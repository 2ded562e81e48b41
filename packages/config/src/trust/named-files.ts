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
  const named = text.includes('"mcpServers"') ? words.flatMap((word) => ofServer(text, word)) : words
  const paths = [...new Set(named.map((word) => inside(root, word)).filter((path) => path !== null))]
  const found = await findAll(host, root, paths)
  return paths.filter((_, at) => found[at]?.kind === "file").slice(0, maxFiles)
}

/** What a program of a server may take a word for: a file of its folder, without its extension, or the first one of a folder. */
function ofServer(text: string, word: string): readonly string[] {
  const bare = word.replace(/^file:\/\//, "")
  if (bare === "" || bare.startsWith("-")) return []
  const folders = [...text.matchAll(/"cwd"\s*:\s*"([^"]{1,200})"/g)].slice(0, 10).map(([, folder = ""]) => folder)
  const places = bare.startsWith("/") ? [bare] : [`./${bare}`, ...folders.map((folder) => `${folder}/${bare}`)]
  return places.flatMap((place) => entryFiles.map((end) => `${place}${end}`))
}

const entryFiles = ["", ".js", ".mjs", ".cjs", ".py", "/index.js", "/index.mjs", "/index.cjs", "/__main__.py"]

/** The possible path of a word inside the root; null if it is certainly none. */
function inside(root: string, word: string): string | null {
  const bare = word
    .replace(/^\$\{?(?:CLAUDE|GONG)_PROJECT_DIR\}?/, ".")
    .replace(/^(?:CLAUDE|GONG)_PROJECT_DIR/, ".")
    .replace(`${root}/`, "")
    .replace(/^(?:\.?\/)+/, "")
  // A word without a dot or a slash is a program or an option; checking each as a file would be slow.
  if (!/[./]/.test(word) || bare === "" || bare.length > 500) return null
  return bare.split("/").includes("..") || bare.includes("//") ? null : bare
}
