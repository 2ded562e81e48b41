import type { UnreadableSession } from "@gong/spec"
import { codeOf } from "./disk/disk.ts"

/** Receives the tapes that could not be read: one of them must not prevent access to the others. */
export type OnUnreadable = (all: readonly UnreadableSession[]) => void

/** The result of `look`; null when the disk refuses this folder, which is then added to `unreadable`. */
export function skipUnreadable<T>(path: string, unreadable: UnreadableSession[], look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    const code = codeOf(error)
    // Codes of Node and SQLite contain an underscore: such errors do not come from one folder.
    if (!/^E[A-Z0-9]+$/.test(code)) throw error
    unreadable.push({ path, code })
    return null
  }
}
