import { type Entry, type EntryOf, toolCallsOf } from "@gong/spec"
import { context, filesSeen, foldBranch, pending, type Tape, transcript, unfinished } from "@gong/tape"
import { holds, same } from "./violation.ts"

/** Every call has one result, in call order, before any other message. */
export function checkCalls(entries: readonly Entry[]): void {
  let open: readonly string[] = []
  for (const entry of entries) {
    if (entry.type !== "message" && entry.type !== "custom_message") continue
    const message = entry.type === "message" ? entry.message : null
    if (message?.role === "tool") {
      const [next, ...rest] = open
      same(message.toolCallId, next, `entry ${entry.id} answers the next open call`)
      open = rest
      continue
    }
    same(open, [], `calls without a result before ${entry.id}`)
    if (message?.role === "assistant") open = toolCallsOf(message).map(({ id }) => id)
  }
  same(open, [], "calls without a result at the end")
}

/** Every accepted input entered the conversation once, was removed once, or is still queued. */
export function checkInputs(entries: readonly Entry[], waiting: ReadonlyMap<string, EntryOf<"input">>): void {
  const used = new Map<string, number>()
  const use = (id: string | undefined): void => {
    if (id !== undefined) used.set(id, (used.get(id) ?? 0) + 1)
  }
  for (const entry of entries) {
    if (entry.type === "message") use(entry.inputId)
    if (entry.type === "input_drop") use(entry.inputId)
  }
  for (const entry of entries) {
    if (entry.type !== "input") continue
    const times = (used.get(entry.id) ?? 0) + (waiting.has(entry.id) ? 1 : 0)
    holds(times === 1, () => `input "${entry.text}" (${entry.kind}) was used ${times} times`)
  }
}

/** An incrementally updated fold equals the fold from scratch. */
export function checkFolds(tape: Tape, followed: ReturnType<typeof follow>): void {
  for (const { name, value, fresh } of followed) same(value(), fresh(tape), `the fold ${name}`)
}

export function follow(tape: Tape) {
  const one = <S>(name: string, fold: Parameters<typeof foldBranch<S>>[0]) => {
    const followed = tape.follow(fold)
    // Read once, so that it is updated incrementally from here on.
    void followed.value
    return { name, value: (): unknown => followed.value, fresh: (of: Tape): unknown => foldBranch(fold, of.branch) }
  }
  return [
    one("context", context),
    one("pending", pending),
    one("unfinished", unfinished),
    one("filesSeen", filesSeen),
    one("transcript", transcript),
  ]
}

/** Every entry, on whatever branch, in the order of the lines. */
export function everything({ all }: Tape): readonly Entry[] {
  return Array.from({ length: all.length }, (_, place) => all.entry(place))
}
