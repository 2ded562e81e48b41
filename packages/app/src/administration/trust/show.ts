import { hunksOf } from "@gong/session/changes/diff"
import { printableLine } from "@gong/texts/printable"
import { copyOf } from "@gong/config/trust/copies"
import { bytesOf, findIn, sha256 } from "@gong/config/trust/folder-files"
import type { FolderTrust } from "./folder-trust.ts"
import type { Translate } from "@gong/texts/translator"

/** One file of the active content, for the review before a decision. */
export interface ShownFile {
  readonly path: string
  readonly status: "new" | "changed" | "gone" | "same"
  /** A unified diff against the trusted version, sanitized for a terminal; or one line with the reason why there is none. */
  readonly lines: readonly string[]
  /** Number of added and removed lines; null if unknown. */
  readonly changed: number | null
}

const limits = { bytes: 256 * 1024, lines: 5_000, shown: 120, line: 300 }

/** The files that are not loaded: all before a decision, else those that changed since. */
export function shownTrustFiles(t: Translate, trust: FolderTrust): Promise<readonly ShownFile[]> {
  const paths = trust.state === "changed" || trust.decided?.trusted ? trust.changed : [...trust.content.files.keys()]
  return Promise.all(paths.map((path) => shownFile(t, trust, path)))
}

async function shownFile(t: Translate, { home, content, decided }: FolderTrust, path: string): Promise<ShownFile> {
  const trustedHash = Object.hasOwn(decided?.files ?? {}, path) ? (decided?.files[path] ?? null) : null
  const hash = content.files.get(path) ?? null
  const status = hash === null ? "gone" : trustedHash === null ? "new" : trustedHash === hash ? "same" : "changed"
  const problem = (text: string): ShownFile => ({ path, status, lines: [printableLine(text)], changed: null })
  if (hash !== null && !isHash(hash)) return problem(hash)
  const old = trustedHash === null || status === "same" ? "" : copyOf(home, trustedHash)
  const current = hash === null ? "" : await textOf(t, content, path, hash)
  if (typeof current === "object") return problem(current.problem)
  const missing =
    old === null && status === "changed" ? [t`(no copy of the trusted version; the complete file is shown)`] : []
  const [before, after] = [linesOf(old ?? ""), linesOf(current)]
  if (before.length + after.length > limits.lines) return problem(t`too many lines to show`)
  const hunks = hunksOf(before, after)
  if (hunks === null) return problem(t`too many lines to show`)
  const changed = hunks.filter((line) => /^[+-]/.test(line)).length
  const more = hunks.length - limits.shown
  const rest = more > 0 ? [t`... ${more} more lines; see the file itself`] : []
  const lines = [...missing, ...hunks.slice(0, limits.shown).map(fit), ...rest]
  return { path, status, lines, changed: old === null ? null : changed }
}

/** The text with this hash, so that exactly the shown version is trusted. */
async function textOf(
  t: Translate,
  { host, root }: FolderTrust["content"],
  path: string,
  hash: string,
): Promise<string | { readonly problem: string }> {
  const found = await findIn(host, root, path)
  if (found?.kind === "file" && found.size > limits.bytes) return { problem: t`${found.size} bytes: too large to show` }
  const bytes = found?.kind === "file" ? await bytesOf(host, root, path) : null
  if (bytes === null || sha256(bytes) !== hash) return { problem: t`it is being changed; try again` }
  const text = new TextDecoder().decode(bytes)
  return text.includes("\0") ? { problem: t`${bytes.length} bytes, not text` } : text
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n")
}

/** Sanitizes a line for the terminal, and limits its length. */
function fit(line: string): string {
  const shown = printableLine(line)
  return shown.length > limits.line ? `${shown.slice(0, limits.line)}... (${shown.length} characters)` : shown
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Lines of all files. */
const maxLines = 400

/** Each file with its diff, for the user. */
export function trustFileLines(t: Translate, files: readonly ShownFile[]): readonly string[] {
  const lines = files.flatMap(({ path, status, lines: own }) => [
    `  ${printableLine(path)} (${t(status)})`,
    ...own.map((line) => `    ${line}`),
  ])
  const more = lines.length - maxLines
  return more <= 0 ? lines : [...lines.slice(0, maxLines), t`  ... ${more} more lines; see the files themselves`]
}
