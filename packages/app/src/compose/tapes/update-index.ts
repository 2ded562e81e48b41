import type { OpenedTape } from "./tape.ts"

/** So that the next list or search finds read what one session holds. */
export async function updateIndex({ sessions, tape }: Pick<OpenedTape, "sessions" | "tape">): Promise<void> {
  try {
    await sessions.catchUp(tape.store)
  } catch {
    // A conversation does not end for its index: who searches reads what is new, and is told what is wrong.
  }
}
