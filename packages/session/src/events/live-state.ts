import {
  type Entry,
  foldPartial,
  type LiveReply,
  type Notification,
  type PublishedStep,
  type QueuedInput,
} from "@gong/spec"

/** A late subscriber gets at most this many characters of a running tool's output: the last ones. */
const OUTPUT_MAX_CHARS = 64 * 1024

/** The state of a running session that is not on its tape, for a subscriber that joins late. */
export interface LiveState {
  take(step: PublishedStep): void
  /** As the steps that would show it; `partials`: also what streams. */
  steps(partials: boolean): readonly PublishedStep[]
}

export function createLiveState(): LiveState {
  let reply: LiveReply | null = null
  /** By the id of the call. */
  const outputs = new Map<string, string>()
  const tasks = new Map<string, LiveState>()
  const open = openNotifications()

  function ofEntry(entry: Entry): void {
    open.ofEntry(entry)
    if (entry.type === "run_end") {
      reply = null
      for (const map of [outputs, tasks]) map.clear()
    }
    if (entry.type !== "message") return
    const { message } = entry
    if (message.role === "assistant") reply = null
    if (message.role !== "tool") return
    outputs.delete(message.toolCallId)
    tasks.delete(message.toolCallId)
  }

  return {
    take(step) {
      if ("inside" in step) {
        const task = tasks.get(step.inside) ?? createLiveState()
        tasks.set(step.inside, task)
        return task.take(step.step)
      }
      if ("notification" in step) {
        if (step.notification.code === "retry_start") reply = null
        return open.ofNotification(step.notification)
      }
      if ("entries" in step) return step.entries.forEach(ofEntry)
      const { partial } = step
      reply = foldPartial(reply, partial)
      if (partial.type === "progress")
        outputs.set(partial.callId, `${outputs.get(partial.callId) ?? ""}${partial.delta}`.slice(-OUTPUT_MAX_CHARS))
    },
    steps(partials) {
      const notifications = open.all().map((notification): PublishedStep => ({ notification }))
      const inside = [...tasks].flatMap(([call, task]) =>
        task.steps(partials).map((step): PublishedStep => ({ inside: call, step })),
      )
      if (!partials) return [...notifications, ...inside]
      const progress = [...outputs].map(([callId, delta]): PublishedStep => ({
        partial: { type: "progress", callId, delta },
      }))
      return [...(reply === null ? [] : stepsOf(reply)), ...progress, ...notifications, ...inside]
    },
  }
}

/** Notifications of unfinished things: questions, retries, a compaction, the queue. */
function openNotifications() {
  /** By their subject. */
  const open = new Map<string, Notification>()

  function ofNotification(notification: Notification): void {
    switch (notification.code) {
      case "permission_request":
      case "ui_request":
        return void open.set(notification.id, notification)
      case "permission_end":
      case "ui_end":
        return void open.delete(notification.id)
      case "retry_start":
        return void open.set("retry", notification)
      case "retry_end":
        return void open.delete("retry")
      case "compaction_start":
        return void open.set("compaction", notification)
      case "compaction_end":
        return void open.delete("compaction")
      case "queue":
        if (notification.steer.length + notification.followUp.length > 0) open.set("queue", notification)
        else open.delete("queue")
        return
      default:
        // Other notifications have no state.
        return
    }
  }

  /** No notification reports that the run has taken a message from the queue. */
  function leaveQueue(id: string): void {
    const queue = open.get("queue")
    if (queue?.code !== "queue") return
    const others = (rows: readonly QueuedInput[]) => rows.filter((row) => row.id !== id)
    ofNotification({ code: "queue", steer: others(queue.steer), followUp: others(queue.followUp) })
  }

  return {
    all: (): readonly Notification[] => [...open.values()],
    ofNotification,
    ofEntry(entry: Entry): void {
      if (entry.type === "run_end") for (const key of ["retry", "compaction"]) open.delete(key)
      if (entry.type === "compaction") open.delete("compaction")
      if (entry.type === "message" && entry.inputId !== undefined) leaveQueue(entry.inputId)
    },
  }
}

/** The reply so far as one delta for each block. */
function stepsOf({ draftId, model, content }: LiveReply): readonly PublishedStep[] {
  const blocks = content.flatMap((block, index): readonly PublishedStep[] => {
    if (block.type !== "tool_call") return [{ partial: { type: block.type, index, delta: block.text } }]
    const { id, name, argsText } = block
    return [{ partial: { type: "call", index, id, name } }, { partial: { type: "args", index, delta: argsText } }]
  })
  return [{ partial: { type: "start", draftId, model } }, ...blocks]
}
