import type { FileChange, Host, HostStat, ToolContext, ToolResult } from "@gong/spec"
import { changeFile } from "../files/change-file.ts"
import { regularFile } from "../files/files.ts"
import { writeGuard } from "../files/write-guard.ts"
import { countChanged, linesIn } from "../files/line-changes.ts"
import { withFileLock } from "../files/lock.ts"
import { refuseOutsideHardLinks } from "../files/hard-link-guard.ts"
import type { Site } from "../options.ts"
import { resolveForWrite } from "../paths.ts"
import { dirname, relativeTo } from "../posix-path.ts"
import { checkAborted, Refusal, toolResult } from "../result.ts"
import type { WriteArgs, WriteDetails } from "./schema.ts"

export interface Writer {
  readonly site: Site
  readonly refused: Set<string>
}

/** Executes one call of write. */
export async function write(
  { site, refused }: Writer,
  args: WriteArgs,
  context: ToolContext,
): Promise<ToolResult<WriteDetails>> {
  const host = await site.host()
  const path = await resolveForWrite(host, site.place, "write", args.path)
  checkAborted(context.signal)
  return withFileLock(host.id, path, async () => {
    const found = await fileBefore(site, host, path, args.path)
    const before = found && (await host.readRange(path, 0, undefined, { real: true }))
    const after = Buffer.from(args.content)
    if (found && before) {
      const standing = { path, typed: args.path, found, bytes: before }
      writeGuard(refused).check(context.seen, standing, { after, now: site.clock.now() })
    }
    checkAborted(context.signal)
    if (before === null) await host.mkdir(dirname(path))
    const seen = await changeFile(host, context, { path, found, before, after: [after] })
    const change: FileChange = {
      path: relativeTo(site.place.cwd, path),
      change: before === null ? "created" : "modified",
      ...countChanged(before ?? new Uint8Array(), after),
    }
    const details = { path, byte_size: after.length, created: before === null, ...(seen && { seen }) }
    const text = `Successfully wrote ${after.length} bytes to ${args.path}`
    const shrunk = before !== null && isKept(context, path) ? shrinkNotice(before, after) : ""
    return { ...toolResult(text + shrunk, details), files: [change] }
  })
}

/** If the session has read the file, its previous text is on the tape and in the context. */
function isKept(context: ToolContext, path: string): boolean {
  return context.record !== undefined && context.seen?.files.has(path) === true
}

const SHRUNK_SHARE = 0.4
const SHRUNK_LINES = 50

/**
 * Warns about a much shorter file, the usual mistake of a model that meant to change only a part (interface 5 A). Empty
 * otherwise.
 */
function shrinkNotice(before: Uint8Array, after: Uint8Array): string {
  if (after.length >= before.length * SHRUNK_SHARE) return ""
  const lines = linesIn(before)
  const lost = lines - linesIn(after)
  if (lost <= SHRUNK_LINES) return ""
  return `\nThis removed ${lost} of ${lines} lines. If that was not meant: the earlier text is kept; ask the user for /undo or write it back.`
}

/** Null if there is none; refuses what cannot be written. */
export async function fileBefore(site: Site, host: Host, path: string, typed: string): Promise<HostStat | null> {
  if ((await host.stat(path)) === null) {
    if (typed.endsWith("/")) throw new Refusal(`Is a directory: ${typed}. Give a file; its folders are made with it.`)
    return null
  }
  const found = await regularFile(host, path, typed, `${typed} was removed while this ran. Repeat the write.`)
  await refuseOutsideHardLinks(host, site.place, path, typed, found)
  await host.access(path, "write")
  return found
}
