import { findAll, type TrustHost } from "./place.ts"

/** Words of one file that are looked at, and files that are found by them. */
const maxWords = 2_000
const maxFiles = 100

/**
 * Files below `root` that the commands in a settings file name: `./scripts/lint.sh`, `"$CLAUDE_PROJECT_DIR"/hooks/x.py`.
 * They run outside of any sandbox, so they act. What they start in turn is not known here. A settings file without hooks
 * names none.
 */
export async function namedFiles(host: TrustHost, root: string, text: string): Promise<readonly string[]> {
  if (!/"hooks"|hooks\s*:/.test(text)) return []
  const words = text.split(/[\s"'`;|&()<>{}[\]=,\\]+/, maxWords)
  const paths = [...new Set(words.map((word) => inside(root, word)).filter((path) => path !== null))]
  const found = await findAll(host, root, paths)
  return paths.filter((_, at) => found[at]?.kind === "file").slice(0, maxFiles)
}

/** The path inside the root that a word may mean; null for what is surely none. */
function inside(root: string, word: string): string | null {
  const bare = word
    .replace(/^\$\{?(?:CLAUDE|GONG)_PROJECT_DIR\}?/, ".")
    .replace(/^(?:CLAUDE|GONG)_PROJECT_DIR/, ".")
    .replace(`${root}/`, "")
    .replace(/^(?:\.?\/)+/, "")
  // A word without a dot or a slash is a program or an option; looking for each as a file costs more than it finds.
  if (!/[./]/.test(bare) || bare.length > 500) return null
  return bare.split("/").includes("..") || bare.includes("//") ? null : bare
}
