import { dirname } from "../../../posix-path.ts"
import { makeFolder } from "../../files/folder.ts"
import { isThere } from "../disk.ts"
import { moveAside, putFile } from "../review/aside.ts"
import * as texts from "../texts.ts"
import { type Content, type Contents, isSame } from "./contents.ts"

/** A path after a command, and its earlier state. */
export interface CommandChange {
  readonly path: string
  /** Null if it cannot be read. */
  readonly now: Contents | null
  /** Before the command; null if nothing existed. */
  readonly old: Contents | null
  /** Whether the content is from a commit or was permitted. */
  mayStay(path: string, content: Content): Promise<boolean>
}

/**
 * Restores files that a command changed and renames files that it created; a folder as a whole if nothing in it may
 * stay.
 */
export async function restorePath({ path, now, old, mayStay }: CommandChange): Promise<readonly string[]> {
  if (now === null) {
    const notes = away(path, undefined)
    if (old !== null) restore(old)
    return notes
  }
  const wrong: string[] = []
  for (const [file, content] of now) {
    const was = old?.get(file)
    const isOld = was !== undefined && isSame(was, content)
    if (!isOld && !(await mayStay(file, content))) wrong.push(file)
    else if (content.links > (was?.links ?? 1)) loosen(file, content)
  }
  if (old === null && wrong.length > 0 && wrong.length === now.size) return away(path, undefined)
  return wrong.flatMap((file) => away(file, old?.get(file)))
}

/** Restores all files of a path that was moved away. */
function restore(old: Contents): void {
  for (const [path, { bytes, mode }] of old) {
    makeFolder(dirname(path)).close()
    if (bytes !== null) putFile(path, bytes, { mode, over: false })
  }
}

/** Breaks hard links, through which the file could be changed later. */
function loosen(path: string, { bytes, mode }: Content): void {
  if (bytes !== null) putFile(path, bytes, { mode, over: true })
}

function away(path: string, old: Content | undefined): readonly string[] {
  const other = moveAside(path)
  if (other === null) return isThere(path) ? [texts.notCleared(path, "programs outside the sandbox run it")] : []
  const isBack = old !== undefined && old.bytes !== null && putFile(path, old.bytes, { mode: old.mode, over: false })
  return [texts.othersRun(path, other, isBack)]
}
