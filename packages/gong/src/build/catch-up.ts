import { basename } from "node:path"
import type { TapePlace } from "./tape.ts"

/** Milliseconds that another Gong which writes the index is waited for: a person may be typing. */
const patience = 50
/** Bytes of a session that are read in one go, about a fifth of a second; more waits until somebody lists or searches. */
const maxBytes = 4 * 1024 * 1024

/**
 * Brings the index of sessions up to what one session holds, so that the next search finds it read. `path` is the folder of
 * the session, null when it is only in memory. Loads SQLite.
 */
export async function catchUpSession(place: TapePlace, path: string | null): Promise<void> {
  if (path === null) return
  try {
    const { homeIndex } = await import("./index.ts")
    const index = homeIndex(place, { patience })
    try {
      index.catchUpTape(basename(path), maxBytes)
    } finally {
      index.close()
    }
  } catch {
    // A conversation does not end for its index: who searches reads what is new, and is told what is wrong.
  }
}
