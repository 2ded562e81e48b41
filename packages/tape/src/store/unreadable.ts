import { codeOf } from "./disk/disk.ts"

/** A folder that may hold a tape, and that the disk does not let be read. */
export interface Unreadable {
  readonly path: string
  /** `EACCES`, `EIO`, ... */
  readonly code: string
}

/** Is told of all that a look over many tapes has passed over: one of them must not lock its owner out of the others. */
export type PassedOver = (all: readonly Unreadable[]) => void

/** What `look` gives; null where the disk refuses this folder, which is then noted in `unreadable`. */
export function unlessRefused<T>(path: string, unreadable: Unreadable[], look: () => T): T | null {
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
