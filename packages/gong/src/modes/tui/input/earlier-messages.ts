import { textOf } from "@gong/spec"
import type { Session } from "@gong/session/session"

/** So many of the newest messages are remembered, among so many steps of the session. */
const MESSAGES_MAX = 100
const STEPS_MAX = 1_000

/** Texts that the user has sent in the active branch, the newest last. */
export function earlierMessages({ history: { branch } }: Pick<Session, "history">): readonly string[] {
  const texts: string[] = []
  for (let at = branch.length - 1; at >= Math.max(0, branch.length - STEPS_MAX) && texts.length < MESSAGES_MAX; at--) {
    if (branch.kind(at).role !== "user") continue
    const entry = branch.entry(at)
    if (entry.type === "message" && entry.message.role === "user") texts.push(textOf(entry.message))
  }
  return texts.reverse()
}
