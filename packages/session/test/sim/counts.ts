/** States that are seldom reached and where bugs like to live. Each must be reached when enough worlds are simulated. */
export const rareStates = [
  "retry helped",
  "retry failed",
  "retry used up",
  "retry stopped by the user",
  "retry steered",
  "retry after half a reply",
  "compaction done",
  "compaction after overflow",
  "compaction by hand",
  "compaction failed",
  "compaction cut by a crash",
  "compaction steered",
  "compaction on a full disk",
  "compaction refused by a gate",
  "compaction undone",
  "results pruned",
  "crash between intent and result",
  "crash while opening",
  "power cut while opening",
  "kill while opening after a power cut",
  "session found without entries",
  "power cut",
  "run ended on a full disk",
  "sync in the thread pool failed",
  "second process reads",
  "reader joined in the middle of a reply",
  "reader joined behind an entry",
  "dead lock taken over",
  "tape lost to another process",
  "asked and stopped",
  "answered late",
  "never answered",
  "gate hung",
  "gate threw",
  "gate refused",
  "gate asked",
  "arguments changed by a gate",
  "pipe hung",
  "pipe threw",
  "result changed by a pipe",
  "watcher hung",
  "watcher threw",
  "input taken by a hook",
  "sent on by a hook",
  "run stopped by a hook",
  "limit of turns",
  "limit of cost",
  "limit of tokens",
  "limit of time",
  "message taken back",
  "model changed",
  "files undone",
  "user's own command",
  "partial reply kept",
  "branch summed up",
  "branch not summed up",
  "fallback asked",
  "fallbacks used up",
  "fallback cut by a crash",
] as const

export type RareState = (typeof rareStates)[number]

/** How often each was reached. */
export type Counts = Record<RareState, number>

export function noCounts(): Counts {
  return Object.fromEntries(rareStates.map((name) => [name, 0])) as Counts
}

export function addCounts(all: Counts, more: Counts): void {
  for (const name of rareStates) all[name] += more[name]
}

/** States that were never reached. */
export function unreached(counts: Counts): readonly RareState[] {
  return rareStates.filter((name) => counts[name] === 0)
}
