import type { FileChange, FilesSeen, Host, ToolContext, ToolResult } from "@gong/spec"
import { changeFile } from "../files/change-file.ts"
import { binaryText, kindOfBytes, regularFile } from "../files/files.ts"
import { changedByOthers, type CurrentFile } from "../files/write-guard.ts"
import { withFileLock } from "../files/lock.ts"
import { refuseOutsideHardLinks } from "../files/hard-link-guard.ts"
import type { Site } from "../options.ts"
import { resolveForWrite } from "../paths.ts"
import { relativeTo } from "../posix-path.ts"
import { checkAborted, Refusal, toolResult } from "../result.ts"
import { formatSize } from "../truncate.ts"
import { applyRanges } from "./apply.ts"
import { diffOf } from "./diff.ts"
import { matchAll } from "./matching/match.ts"
import { withReusableBuffer } from "./reusable-buffer.ts"
import { viewOf } from "./view.ts"
import type { EditArgs, EditDetails } from "./schema.ts"

/** A file is held in memory while it is edited. */
const EDIT_MAX_BYTES = 256 * 1024 * 1024

/** Executes one call of edit. */
export async function edit(site: Site, args: EditArgs, context: ToolContext): Promise<ToolResult<EditDetails>> {
  const host = await site.host()
  const path = await resolveForWrite(host, site.place, "edit", args.path)
  checkAborted(context.signal)
  return withFileLock(host.id, path, async () => {
    const found = await regularFile(host, path, args.path, missingText(args.path))
    if (found.size > EDIT_MAX_BYTES) throw new Refusal(tooLargeText(args.path, found.size))
    await refuseOutsideHardLinks(host, site.place, path, args.path, found)
    await host.access(path, "read")
    await host.access(path, "write")
    return withReusableBuffer(found.size, async (into) => {
      const bytes = await host.readRange(path, 0, undefined, { into, real: true })
      checkAborted(context.signal)
      return editFile({ site, host, args, context }, { path, typed: args.path, found, bytes })
    })
  })
}

interface Call {
  readonly site: Site
  readonly host: Host
  readonly args: EditArgs
  readonly context: ToolContext
}

async function editFile({ site, host, args, context }: Call, file: CurrentFile): Promise<ToolResult<EditDetails>> {
  const { path, found, bytes: before } = file
  const { view, matched } = matchedIn(file, args, context.seen)
  const applied = applyRanges(view, matched.ranges, args.path)
  if (!applied.ok) throw new Refusal(applied.message)
  const { added, removed, ...diff } = diffOf(view, matched.ranges)
  checkAborted(context.signal)
  const seen = await changeFile(host, context, { path, found, before, after: applied.parts })
  const details: EditDetails = {
    path,
    old_text: oneOrAll(args.edits.map((item) => item.oldText)),
    new_text: oneOrAll(args.edits.map((item) => item.newText)),
    diff_lines: added + removed,
    ...diff,
    usedFuzzy: matched.fuzzy,
    encoding: view.encoding,
    ...(seen && { seen }),
  }
  const change: FileChange = { path: relativeTo(site.place.cwd, path), change: "modified", added, removed }
  const content = successText(matched, args.path, diff.firstChangedLine)
  return { ...toolResult(content, details), files: [change] }
}

/** The edits as ranges of the file; refuses a file that cannot be edited, and edits that do not fit. */
export function matchedIn(file: CurrentFile, args: EditArgs, seen: FilesSeen | undefined) {
  refuseBinary(file.bytes, args.path)
  refuseChanged(file, seen)
  const view = viewOf(file.bytes)
  const matched = matchAll(view, args.edits, args.path)
  if (!matched.ok) throw new Refusal(matched.message)
  return { view, matched }
}

function refuseBinary(bytes: Uint8Array, typed: string): void {
  const kind = kindOfBytes(bytes)
  if ("text" in kind) return
  throw new Refusal(binaryText(typed, "image" in kind ? kind.image : kind.binary, bytes.length))
}

/** A file that this session has read must be unchanged since, except by its own commands (engine D9). */
function refuseChanged(file: CurrentFile, seen: FilesSeen | undefined): void {
  if (seen === undefined || !changedByOthers(seen, file)) return
  throw new Refusal(`${file.typed} changed on disk since it was read; read it again. Nothing was changed.`)
}

function oneOrAll(texts: readonly string[]): string | readonly string[] {
  return texts.length === 1 ? (texts[0] ?? "") : texts
}

function successText({ count, fuzzy }: { count: number; fuzzy: boolean }, typed: string, line: number): string {
  const done = `Successfully replaced ${count === 1 ? "1 occurrence" : `${count} occurrences`} in ${typed} (first change at line ${line}).`
  if (!fuzzy) return done
  return `${done} oldText was not there exactly: quotes, dashes, blanks or the Unicode form of the file are different.`
}

export function missingText(typed: string): string {
  return `File not found: ${typed}`
}

function tooLargeText(typed: string, size: number): string {
  return `${typed} is ${formatSize(size)}; edit works up to ${formatSize(EDIT_MAX_BYTES)}. Use bash, e.g. with sed -i.`
}
