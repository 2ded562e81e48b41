import type { CallPreview, PreviewContext } from "@gong/spec"
import { regularFile } from "../files/files.ts"
import { filePreview, PREVIEW_MAX_BYTES } from "../files/preview.ts"
import type { Site } from "../options.ts"
import { resolveForWrite } from "../paths.ts"
import { diffOf } from "./diff.ts"
import type { EditArgs } from "./schema.ts"
import { matchedIn, missingText } from "./work.ts"

/** The diff that a call would make; null for large files. */
export async function previewEdit(site: Site, args: EditArgs, { seen }: PreviewContext): Promise<CallPreview | null> {
  const host = await site.host()
  const path = await resolveForWrite(host, site.place, "edit", args.path)
  const found = await regularFile(host, path, args.path, missingText(args.path))
  if (found.size > PREVIEW_MAX_BYTES) return null
  const bytes = await host.readRange(path, 0, undefined, { real: true })
  const { view, matched } = matchedIn({ path, typed: args.path, found, bytes }, args, seen)
  const { diff, added, removed } = diffOf(view, matched.ranges)
  return filePreview({ kind: "change", path, rows: diff.split("\n"), added, removed })
}
