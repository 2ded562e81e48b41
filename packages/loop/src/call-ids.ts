import type { AssistantMessage, Message } from "@gong/spec"

/** Gives every tool call of a conversation an id of its own. */
export interface CallIds {
  /** The message itself, or a copy whose calls have other ids where one of theirs was used before. */
  unique(message: AssistantMessage): AssistantMessage
}

/**
 * Some servers count calls anew in every reply. A result is tied to its call by the id alone, on the tape and on the
 * wire, so a second call of the same name would be answered by the first one's result.
 */
export function callIds(conversation: readonly Message[]): CallIds {
  const used = new Set<string>()
  for (const message of conversation) {
    if (message.role !== "assistant") continue
    for (const block of message.content) if (block.type === "tool_call") used.add(block.id)
  }
  const own = (id: string): string => {
    let free = id
    for (let count = 2; used.has(free); count++) free = `${id}_${count}`
    used.add(free)
    return free
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
