import { type CallPreview, equalEnds, isComparable, type PreviewContext } from "@gong/spec"
import { diffIndices } from "node-diff3"
import { diffOf } from "../edit/diff.ts"
import type { Range } from "../edit/matching/match.ts"
import { toView, type View, viewOf } from "../edit/view.ts"
import { kindOfBytes } from "../files/files.ts"
import { filePreview, PREVIEW_MAX_BYTES } from "../files/preview.ts"
import { writeGuard } from "../files/write-guard.ts"
import { resolveForWrite } from "../paths.ts"
import type { WriteArgs } from "./schema.ts"
import { fileBefore, type Writer } from "./work.ts"

/** The diff against the present file, or the first lines of a new one; null for large files. */
export async function previewWrite(
  { site, refused }: Writer,
  args: WriteArgs,
  { seen }: PreviewContext,
): Promise<CallPreview | null> {
  const host = await site.host()
  const path = await resolveForWrite(host, site.place, "write", args.path)
  const after = Buffer.from(args.content)
  const found = await fileBefore(site, host, path, args.path)
  if (Math.max(found?.size ?? 0, after.length) > PREVIEW_MAX_BYTES) return null
  if (found === null) return filePreview({ kind: "create", path, ...diffOfTexts(Buffer.of(), after) })
  const bytes = await host.readRange(path, 0, undefined, { real: true })
  const standing = { path, typed: args.path, found, bytes }
  writeGuard(refused).check(seen, standing, { after, now: site.clock.now(), isPreview: true })
  const old = "text" in kindOfBytes(bytes) ? bytes : Buffer.of()
  return filePreview({ kind: "overwrite", path, ...diffOfTexts(old, after) })
}

function diffOfTexts(before: Uint8Array, after: Buffer) {
  const view = viewOf(before)
  const { diff, added, removed } = diffOf(view, rangesBetween(view, toView(after.toString())))
  return { rows: diff === "" ? [] : diff.split("\n"), added, removed, bytes: after.length }
}

/** The differences as byte ranges of the old text, line by line. */
function rangesBetween(view: View, after: string): readonly Range[] {
  const old = view.part(view.start, view.end).text.split("\n")
  const young = after.split("\n")
  const { start, end } = equalEnds([old, young])
  const [before, now] = [old.slice(start, old.length - end), young.slice(start, young.length - end)]
  const changes = isComparable(before, now)
    ? diffIndices(before, now).map(({ buffer1: [at, length], buffer2Content }) => ({
        at,
        length,
        lines: buffer2Content,
      }))
    : [{ at: 0, length: before.length, lines: now }]
  return changes.map(({ at, length, lines }) => {
    const first = start + at
    const isLast = first + length === old.length
    const text = lines.join("\n")
    return {
      start: first === old.length ? view.end : view.lines.start(first),
      end: isLast ? view.end : view.lines.start(first + length),
      text: isLast ? (length === 0 ? `\n${text}` : text) : lines.length === 0 ? "" : `${text}\n`,
    }
  })
}
