import type { Entry, EntryOf, Head, Message, ThinkingLevel } from "@gong/spec"
import { userText } from "@gong/spec"
import { type Branch, type Fold, lastPlace, placesWhere } from "./fold.ts"

/** What the model is sent of a branch, and with what. */
export interface Context {
  /** The same array while it only grows; the messages keep their identity. */
  readonly messages: readonly Message[]
  /** The entry behind each message, at the same place. */
  readonly entries: readonly Entry[]
  /** As last chosen on this branch; null when the branch does not say. */
  readonly model: { readonly provider: string; readonly id: string } | null
  readonly thinking: ThinkingLevel | null
}

interface State extends Context {
  messages: Message[]
  entries: Entry[]
  model: Context["model"]
  thinking: Context["thinking"]
  /** For every entry since the first that the last compaction kept, in order: how many messages stand before it. */
  before: Map<string, number>
}

/** Messages of the active branch: since the last compaction its summary, the part it kept, and what came after. */
export const context: Fold<Context> = {
  initial: (): State => ({ messages: [], entries: [], model: null, thinking: null, before: new Map() }),
  step: (state, entry) => step(state as State, entry),
  needs,
}

export function summaryText(summary: string): string {
  return `The conversation before this point was compacted into this summary:\n\n<summary>\n${summary}\n</summary>`
}

export function branchText(summary: string): string {
  return `This is a summary of another branch of this conversation, which was left:\n\n<summary>\n${summary}\n</summary>`
}

function step(state: State, entry: Entry): State {
  if (entry.type === "compaction") return compact(state, entry)
  state.before.set(entry.id, state.messages.length)
  switch (entry.type) {
    case "message":
      push(state, entry, entry.message)
      break
    case "branch_summary":
      if (entry.summary !== "") push(state, entry, userText(branchText(entry.summary)))
      break
    case "custom_message":
      push(state, entry, { role: "user", content: entry.content })
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
  return state
}

function push(state: State, entry: Entry, message: Message): void {
  state.messages.push(Object.freeze(message))
  state.entries.push(entry)
}

/** A new array: what was sent before stays as it was for whoever still holds it. */
function compact(state: State, entry: EntryOf<"compaction">): State {
  const keptFrom = state.before.get(entry.firstKeptEntryId) ?? state.messages.length
  const before = new Map<string, number>()
  for (const [id, count] of state.before) {
    if (before.size > 0 || id === entry.firstKeptEntryId) before.set(id, count - keptFrom + 1)
  }
  const messages = [Object.freeze(userText(summaryText(entry.summary))), ...state.messages.slice(keptFrom)]
  return { ...state, messages, entries: [entry, ...state.entries.slice(keptFrom)], before }
}

/** Everything since the last compaction, the part that it kept, and the last choice of model and thinking before that. */
function needs(branch: Branch): readonly number[] {
  const compactions = placesWhere(branch, isCompaction)
  const last = compactions.at(-1) ?? -1
  let from = 0
  for (const at of compactions) from = keptPlace(branch, at, from)
  const chosen = ["model_change", "thinking_level_change"].map((type) =>
    lastPlace(branch, (head) => head.type === type, from),
  )
  // A compaction inside the kept part is no part of it: its summary stood before what was kept.
  const since = placesWhere(branch, (head) => !isCompaction(head), from)
  const before = since.filter((at) => at < last)
  const after = since.filter((at) => at > last)
  return [...chosen.filter((at) => at !== -1), ...before, ...(last === -1 ? [] : [last]), ...after]
}

function isCompaction(head: Head): boolean {
  return head.type === "compaction"
}

/** Where the kept part of the compaction at `at` begins; at itself when its first entry is not in the context before it. */
function keptPlace(branch: Branch, at: number, from: number): number {
  const { firstKeptEntryId } = branch.entry(at) as EntryOf<"compaction">
  const place = lastPlace(branch, (head) => head.id === firstKeptEntryId && !isCompaction(head), at)
  return place < from ? at : place
}
