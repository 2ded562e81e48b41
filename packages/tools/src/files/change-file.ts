import type { ChangeBody, Host, HostStat, SeenFile, ToolContext } from "@gong/spec"
import { seenOf } from "./files.ts"
import { sha256, sha256OfParts } from "../host/digest.ts"
import { checkAborted } from "../result.ts"

export interface Change {
  /** The real path. */
  readonly path: string
  /** The stat and content before the change; both null if the file does not exist. */
  readonly found: HostStat | null
  readonly before: Uint8Array | null
  /** Consecutive parts. */
  readonly after: readonly Uint8Array[]
}

/**
 * The only way to write a file: the previous content is stored and the change is on the tape before the file is
 * touched.
 */
export async function changeFile(host: Host, context: ToolContext, change: Change): Promise<SeenFile | null> {
  const after = sha256OfParts(change.after)
  const { record } = context
  const image = record && (await imageOf(change.before, context))
  let announced = false
  const announce = async (): Promise<void> => {
    if (image) await record?.({ path: change.path, ...image, after })
    checkAborted(context.signal)
    announced = true
  }
  await host.replaceFile(change.path, change.after, { expect: change.found, announce })
  if (!announced) throw new Error("Internal error in Gong: a host changed a file before it announced the change")
  return seenOf(host, change.path, after)
}

/** A smaller before-image is stored in the entry, which saves two syncs. */
const INLINE_MAX_BYTES = 16 * 1024

export async function imageOf(before: Uint8Array | null, context: Pick<ToolContext, "artifacts">): Promise<Image> {
  if (before === null) return { before: null }
  const text = before.length <= INLINE_MAX_BYTES ? exactText(before) : null
  if (text !== null) return { before: `sha256-${sha256(before)}`, beforeText: text }
  return { before: (await context.artifacts?.put(before, { sync: true })) ?? null }
}

type Image = Pick<ChangeBody, "before" | "beforeText">

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The bytes as UTF-8 text; null if they are not valid UTF-8. */
function exactText(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
