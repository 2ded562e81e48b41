import type { UnreadableSession } from "@gong/spec"
import { codeOf } from "./disk/disk.ts"

/** Is told of all that a look over many tapes has passed over: one of them must not lock its owner out of the others. */
export type OnUnreadable = (all: readonly UnreadableSession[]) => void

/** What `look` gives; null where the disk refuses this folder, which is then noted in `unreadable`. */
export function skipUnreadable<T>(path: string, unreadable: UnreadableSession[], look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    const code = codeOf(error)
    // Node's own codes and SQLite's have an underscore: those are nothing that one folder is to blame for.
    if (!/^E[A-Z0-9]+$/.test(code)) throw error
    unreadable.push({ path, code })
    return null
  }
}
