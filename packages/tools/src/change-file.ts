import type { Host, SeenFile, ToolContext } from "@gong/spec"
import { seenOf } from "./files.ts"
import { sha256 } from "./host/digest.ts"
import { checkAborted } from "./result.ts"

export interface Change {
  /** The real path. */
  readonly path: string
  /** Null when the file does not exist yet. */
  readonly before: Uint8Array | null
  readonly after: Uint8Array
}

/** The one way bytes get into a file: the bytes before are kept and the change is on the tape before the disk is touched. */
export async function changeFile(host: Host, context: ToolContext, change: Change): Promise<SeenFile | null> {
  const after = sha256(change.after)
  if (context.record !== undefined) {
    const before = change.before && ((await context.artifacts?.put(change.before, { sync: true })) ?? null)
    await context.record({ path: change.path, before, after })
  }
  checkAborted(context.signal)
  await host.replaceFile(change.path, change.after)
  return seenOf(host, change.path, after)
}
