import type { AssistantMessage, Message } from "@gong/spec"

/** Gives every tool call of a conversation an id of its own. */
export interface CallIds {
  /** The message itself, or a copy whose calls have other ids where one of theirs was used before. */
  unique(message: AssistantMessage): AssistantMessage
}

/**
 * Some servers count calls anew in every reply. A result is tied to its call by the id alone, on the tape and on the
 * wire, so a second call of the same name would be answered by the first one's result. `gone`: ids that were used before the
 * conversation as it is now.
 */
export function callIds(conversation: readonly Message[], gone: ReadonlySet<string>): CallIds {
  const used = namesIn(conversation, gone)
  const own = (id: string): string => {
    const name = nameOf(id)
    let free = name
    for (let count = 2; used.has(free); count++) free = `${name}_${count}`
    used.add(free)
    return free + id.slice(name.length)
  }
  return {
    unique(message) {
      let changed = false
      const content = message.content.map((block) => {
        if (block.type !== "tool_call") return block
        const id = own(block.id)
        if (id === block.id) return block
        changed = true
        return { ...block, id }
      })
      return changed ? { ...message, content } : message
    },
  }
}

/** The names in each conversation, up to a place: its array only grows, and another one is another conversation. */
const known = new WeakMap<readonly Message[], { readonly used: Set<string>; length: number }>()

/** A run that follows many others looks at what they have not seen. */
function namesIn(conversation: readonly Message[], gone: ReadonlySet<string>): Set<string> {
  const names = known.get(conversation) ?? { used: new Set([...gone].map(nameOf)), length: 0 }
  known.set(conversation, names)
  for (const message of conversation.slice(names.length)) {
    for (const block of message.content) if (block.type === "tool_call") names.used.add(nameOf(block.id))
  }
  names.length = conversation.length
  return names.used
}

/** What tells a call from others: a wire format may have put more behind it (`ToolCall.id`), and sends it without. */
function nameOf(id: string): string {
  const bar = id.indexOf("|")
  return bar < 0 ? id : id.slice(0, bar)
}
