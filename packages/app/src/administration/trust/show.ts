import { hunksOf } from "@gong/session/changes/diff"
import { printableLine } from "@gong/texts/printable"
import { copyOf } from "@gong/config/trust/copies"
import { bytesOf, findIn, sha256 } from "@gong/config/trust/folder-files"
import type { TrustPlace } from "./place.ts"
import type { Translate } from "@gong/texts/translator"

/** One file that acts, or would: what a person reads before they say yes. */
export interface Shown {
  readonly path: string
  readonly status: "new" | "changed" | "gone" | "same"
  /** Lines of a unified diff against what was trusted, fit for a terminal; one line that says why there is none. */
  readonly lines: readonly string[]
  /** Lines that were added or removed; null where that is not known. */
  readonly changed: number | null
}

const limits = { bytes: 256 * 1024, lines: 5_000, shown: 120, line: 300 }

/** What would act and does not: all of it where nobody decided yet, what is other than it was where somebody did. */
export function shownFiles(t: Translate, place: TrustPlace): Promise<readonly Shown[]> {
  const paths = place.state === "changed" || place.decided?.trusted ? place.changed : [...place.surface.files.keys()]
  return Promise.all(paths.map((path) => shownFile(t, place, path)))
}

async function shownFile(t: Translate, { home, surface, decided }: TrustPlace, path: string): Promise<Shown> {
  const then = Object.hasOwn(decided?.files ?? {}, path) ? (decided?.files[path] ?? null) : null
  const now = surface.files.get(path) ?? null
  const status = now === null ? "gone" : then === null ? "new" : then === now ? "same" : "changed"
  const said = (text: string): Shown => ({ path, status, lines: [printableLine(text)], changed: null })
  if (now !== null && !isHash(now)) return said(now)
  const old = then === null || status === "same" ? "" : copyOf(home, then)
  const young = now === null ? "" : await textOf(t, surface, path, now)
  if (typeof young === "object") return said(young.problem)
  const missing =
    old === null && status === "changed" ? [t`(no copy of the trusted version; the complete file is shown)`] : []
  const [before, after] = [linesOf(old ?? ""), linesOf(young)]
  if (before.length + after.length > limits.lines) return said(t`too many lines to show`)
  const hunks = hunksOf(before, after)
  if (hunks === null) return said(t`too many lines to show`)
  const changed = hunks.filter((line) => /^[+-]/.test(line)).length
  const more = hunks.length - limits.shown
  const rest = more > 0 ? [t`... ${more} more lines; see the file itself`] : []
  const lines = [...missing, ...hunks.slice(0, limits.shown).map(fit), ...rest]
  return { path, status, lines, changed: old === null ? null : changed }
}

/** The text that has this hash: what is shown is what is then trusted. */
async function textOf(
  t: Translate,
  { host, root }: TrustPlace["surface"],
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

/** No line may act on the terminal, hide a part of itself, or be longer than anybody reads. */
function fit(line: string): string {
  const shown = printableLine(line)
  return shown.length > limits.line ? `${shown.slice(0, limits.line)}... (${shown.length} characters)` : shown
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Lines of all files together. */
const maxLines = 400

/** For people: each file with what is new in it. */
export function textOfShown(t: Translate, files: readonly Shown[]): readonly string[] {
  const lines = files.flatMap(({ path, status, lines: own }) => [
    `  ${printableLine(path)} (${t(status)})`,
    ...own.map((line) => `    ${line}`),
  ])
  const more = lines.length - maxLines
  return more <= 0 ? lines : [...lines.slice(0, maxLines), t`  ... ${more} more lines; see the files themselves`]
}
