import type { AssistantMessage, Message } from "@gong/spec"

/** Makes tool call ids unique within a conversation. */
export interface CallIds {
  /** The message itself, or a copy with new ids for calls whose id is taken. */
  unique(message: AssistantMessage): AssistantMessage
}

/**
 * Some servers reuse ids in every reply. A result refers to its call by id alone, on the tape and in requests, so a second
 * call with the same id would get the first one's result. `gone`: ids used before the current conversation.
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

/** Used ids of each conversation up to a length: its array only grows, and a new array is another conversation. */
const known = new WeakMap<readonly Message[], { readonly used: Set<string>; length: number }>()

/** A run after many others reads only new messages. */
function namesIn(conversation: readonly Message[], gone: ReadonlySet<string>): Set<string> {
  const names = known.get(conversation) ?? { used: new Set([...gone].map(nameOf)), length: 0 }
  known.set(conversation, names)
  for (const message of conversation.slice(names.length)) {
    for (const block of message.content) if (block.type === "tool_call") names.used.add(nameOf(block.id))
  }
  names.length = conversation.length
  return names.used
}

/** The unique part of an id. A wire format may append more (`ToolCall.id`), which it does not send. */
function nameOf(id: string): string {
  const bar = id.indexOf("|")
  return bar < 0 ? id : id.slice(0, bar)
}
