import type { OpenedTape } from "./tape.ts"

/** Adds the new entries of a session to the index, so that the next list or search need not read them. */
export async function updateIndex({ sessions, tape }: Pick<OpenedTape, "sessions" | "tape">): Promise<void> {
  try {
    await sessions.catchUp(tape.store)
  } catch {
    // An error must not end the conversation; the next search reads the entries itself and reports it.
  }
}
