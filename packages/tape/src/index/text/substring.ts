import type { Clock, Entry, Snippet } from "@gong/spec"
import { crc32 } from "../../store/artifacts/digest.ts"
import { entryOfLine, hasValidChecksum } from "../../line.ts"
import type { Disk } from "../../store/disk/disk.ts"
import { phasesOf } from "../../store/layout.ts"
import { eachLine } from "../../store/read/scan.ts"
import { textOfEntry } from "../../entry-text.ts"

export interface ScannedHit {
  /** The tape's folder. */
  readonly path: string
  readonly entry: Entry
  readonly snippet: Snippet
}

export interface Scanned {
  readonly hits: readonly ScannedHit[]
  readonly tapes: number
  readonly bytes: number
  /** The scan stopped early: at the limit of hits or of time. */
  readonly more: boolean
}

export interface ScanOptions {
  /** The scan stops after this many hits. */
  readonly limit: number
  readonly milliseconds: number
}

/** Searches these tapes, in order, for an exact string, without an index; case-sensitive. */
export function scanTapes(
  { disk, clock }: { readonly disk: Disk; readonly clock: Pick<Clock, "now"> },
  tapes: readonly string[],
  wanted: string,
  { limit, milliseconds }: ScanOptions,
): Scanned {
  const until = clock.now() + milliseconds
  const needle = Buffer.from(JSON.stringify(wanted).slice(1, -1))
  const hits: ScannedHit[] = []
  let [count, bytes] = [0, 0]
  for (const path of wanted === "" ? [] : tapes) {
    if (hits.length >= limit || clock.now() >= until)
      return { hits: hits.slice(0, limit), tapes: count, bytes, more: true }
    count += 1
    for (const { file } of phasesOf(disk, path)) {
      if (disk.stat(file) === null) continue
      bytes += eachLine(disk, file, 0, (line, from, to) => {
        const entry = hits.length > limit ? null : entryWith(line.subarray(from, to), needle)
        const snippet = entry === null ? null : exactSnippet(textOfEntry(entry), wanted)
        if (entry !== null && snippet !== null) hits.push({ path, entry, snippet })
      })
    }
  }
  return { hits: hits.slice(0, limit), tapes: count, bytes, more: hits.length > limit }
}

/** The entry of a line that contains these bytes; null for a damaged line. */
function entryWith(line: Buffer, needle: Buffer): Entry | null {
  if (!line.includes(needle) || !hasValidChecksum(line, 0, line.length, crc32)) return null
  return entryOfLine(line.toString("utf8"))
}

const before = 40
const maxLength = 160

function exactSnippet(text: string, wanted: string): Snippet | null {
  const at = text.indexOf(wanted)
  if (at === -1) return null
  const from = Math.max(at - before, 0)
  const shown = text.slice(from, Math.max(from + maxLength, at + wanted.length)).toWellFormed()
  return { text: shown.replaceAll(/[\n\t]/g, " "), marks: [[at - from, at - from + wanted.length]] }
}
