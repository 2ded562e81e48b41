import type { Entry, EntryOf, EntryKind, Message, ThinkingLevel } from "@gong/spec"
import { userText } from "@gong/spec"
import { type Branch, type Fold, lastIndexWhere, indexesWhere } from "./fold.ts"
import { shortened, withoutSkill } from "./shorten.ts"

/** What a branch contributes to a request: messages, model and thinking level. */
export interface Context {
  /** The same array while it only grows; the messages keep their identity. */
  readonly messages: readonly Message[]
  /** The last selection on this branch; null without one. */
  readonly model: { readonly provider: string; readonly id: string } | null
  readonly thinking: ThinkingLevel | null
  /** The index from which on the token counts of replies are valid: earlier messages were removed or shortened since. */
  readonly countedFrom: number
}

interface State extends Context {
  messages: Message[]
  model: Context["model"]
  thinking: Context["thinking"]
  countedFrom: number
  /** The last compaction, whose summary is the first message. */
  compaction: string | null
  /** All entries since the first kept one, and the indexes of those that are no messages, in order. */
  since: string[]
  others: number[]
}

/** The messages of a branch: the summary of the last compaction, the messages that it kept, and later ones. */
export const context: Fold<Context> = {
  initial: (): State => ({
    messages: [],
    model: null,
    thinking: null,
    countedFrom: 0,
    compaction: null,
    since: [],
    others: [],
  }),
  step: (state, entry) => step(state as State, entry),
  needs,
}

/** The ids of the entries of the messages, at the same indexes. */
export function messageIds(context: Context): readonly string[] {
  const { compaction, since, others } = context as State
  const left = new Set(others)
  return [...(compaction === null ? [] : [compaction]), ...since.filter((_, at) => !left.has(at))]
}

export function summaryText(summary: string): string {
  return `The conversation before this point was compacted into this summary:\n\n<summary>\n${summary}\n</summary>`
}

export function branchText(summary: string): string {
  return `This is a summary of another branch of this conversation, which was left:\n\n<summary>\n${summary}\n</summary>`
}

function step(state: State, entry: Entry): State {
  if (entry.type === "compaction") return compact(state, entry)
  if (entry.type === "prune") prune(state, entry)
  const before = state.messages.length
  switch (entry.type) {
    case "message":
      push(state, entry.message)
      break
    case "branch_summary":
      if (entry.summary !== "") push(state, userText(branchText(entry.summary)))
      break
    case "custom_message":
      push(state, { role: "user", content: entry.content })
      break
    case "model_change":
      state.model = { provider: entry.provider, id: entry.modelId }
      break
    case "thinking_level_change":
      state.thinking = entry.thinkingLevel
      break
    default:
      break
  }
  if (state.messages.length === before) state.others.push(state.since.length)
  state.since.push(entry.id)
  return state
}

function push(state: State, message: Message): void {
  state.messages.push(Object.freeze(message))
}

/** Returns a new array: other holders keep the messages that were sent before. */
function compact(state: State, entry: EntryOf<"compaction">): State {
  const first = state.since.lastIndexOf(entry.firstKeptEntryId)
  const at = first === -1 ? state.since.length : first
  const keptFrom = messagesBefore(state, at)
  const messages = [Object.freeze(userText(summaryText(entry.summary))), ...state.messages.slice(keptFrom)]
  return {
    ...state,
    messages,
    countedFrom: messages.length,
    compaction: entry.id,
    since: state.since.slice(at),
    others: state.others.filter((other) => other >= at).map((other) => other - at),
  }
}

/** A new array here as well. The pruned entries may be gone; then all remaining entries are newer. */
function prune(state: State, { upTo, chars, whole = [], skills = [] }: EntryOf<"prune">): void {
  const placeOf = (id: string): number => {
    const at = state.since.lastIndexOf(id)
    return at === -1 || state.others.includes(at) ? -1 : messagesBefore(state, at)
  }
  const end = messagesBefore(state, state.since.lastIndexOf(upTo ?? "") + 1)
  const kept = new Set(whole.map(placeOf))
  const lines = new Map(skills.map(({ id, line }) => [placeOf(id), line]))
  state.messages = state.messages.map((message, at) => {
    const line = lines.get(at)
    if (line !== undefined) return withoutSkill(message, line)
    return at < end && message.role === "tool" && !kept.has(at) ? shortened(message, chars) : message
  })
  state.countedFrom = state.messages.length
}

/** The number of messages from the entries before an index in `since`, including the summary. */
function messagesBefore({ others, compaction }: State, at: number): number {
  return at - others.filter((other) => other < at).length + (compaction === null ? 0 : 1)
}

/** Everything since the last compaction, the part that it kept, and the last model and thinking level before that. */
function needs(branch: Branch): readonly number[] {
  const compactions = indexesWhere(branch, isCompaction)
  const last = compactions.at(-1) ?? -1
  let from = 0
  for (const at of compactions) from = firstKeptIndex(branch, at, from)
  const chosen = ["model_change", "thinking_level_change"].map((type) =>
    lastIndexWhere(branch, (head) => head.type === type, from),
  )
  // A compaction inside the kept part does not belong to it: its summary came before the kept messages.
  const since = indexesWhere(branch, (kind, at) => at === last || !isCompaction(kind), from)
  return [...chosen.filter((at) => at !== -1), ...since]
}

function isCompaction(kind: EntryKind): boolean {
  return kind.type === "compaction"
}

/** The index at which the kept part of the compaction at `at` begins; `at` when its first entry is not in the context before. */
function firstKeptIndex(branch: Branch, at: number, from: number): number {
  const { firstKeptEntryId } = branch.entry(at) as EntryOf<"compaction">
  const place = lastIndexWhere(
    branch,
    (kind, place) => !isCompaction(kind) && branch.head(place).id === firstKeptEntryId,
    at,
  )
  return place < from ? at : place
}
