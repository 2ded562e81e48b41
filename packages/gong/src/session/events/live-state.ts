import { type Entry, foldDraft, type LiveReply, type Notice, type PublishedStep, type QueuedInput } from "@gong/spec"

/** Characters of a running tool's output that a late subscriber gets: the last ones. */
const OUTPUT_MAX_CHARS = 64 * 1024

/** The state of a running session that is not on its tape, for a subscriber that joins in the middle. */
export interface LiveState {
  take(step: PublishedStep): void
  /** As the steps that would show it; `drafts`: also what streams. */
  steps(drafts: boolean): readonly PublishedStep[]
}

export function createLiveState(): LiveState {
  let reply: LiveReply | null = null
  /** By the id of the call. */
  const outputs = new Map<string, string>()
  const tasks = new Map<string, LiveState>()
  const open = openNotices()

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
      if ("notice" in step) {
        if (step.notice.code === "retry_start") reply = null
        return open.ofNotice(step.notice)
      }
      if ("entries" in step) return step.entries.forEach(ofEntry)
      const { draft } = step
      reply = foldDraft(reply, draft)
      if (draft.type === "progress")
        outputs.set(draft.callId, `${outputs.get(draft.callId) ?? ""}${draft.delta}`.slice(-OUTPUT_MAX_CHARS))
    },
    steps(drafts) {
      const notices = open.all().map((notice): PublishedStep => ({ notice }))
      const inside = [...tasks].flatMap(([call, task]) =>
        task.steps(drafts).map((step): PublishedStep => ({ inside: call, step })),
      )
      if (!drafts) return [...notices, ...inside]
      const progress = [...outputs].map(([callId, delta]): PublishedStep => ({
        draft: { type: "progress", callId, delta },
      }))
      return [...(reply === null ? [] : stepsOf(reply)), ...progress, ...notices, ...inside]
    },
  }
}

/** The notices that say what is not over: questions, a wait, a compaction, messages that wait. */
function openNotices() {
  /** By what they are about. */
  const open = new Map<string, Notice>()

  function ofNotice(notice: Notice): void {
    switch (notice.code) {
      case "permission_request":
      case "ui_request":
        return void open.set(notice.id, notice)
      case "permission_end":
      case "ui_end":
        return void open.delete(notice.id)
      case "retry_start":
        return void open.set("retry", notice)
      case "retry_end":
        return void open.delete("retry")
      case "compaction_start":
        return void open.set("compaction", notice)
      case "compaction_end":
        return void open.delete("compaction")
      case "queue":
        if (notice.steer.length + notice.followUp.length > 0) open.set("queue", notice)
        else open.delete("queue")
        return
      default:
        // What is only said is over when it is said.
        return
    }
  }

  /** What is taken into the run waits no more; no notice tells that. */
  function leaveQueue(id: string): void {
    const queue = open.get("queue")
    if (queue?.code !== "queue") return
    const others = (rows: readonly QueuedInput[]) => rows.filter((row) => row.id !== id)
    ofNotice({ code: "queue", steer: others(queue.steer), followUp: others(queue.followUp) })
  }

  return {
    all: (): readonly Notice[] => [...open.values()],
    ofNotice,
    ofEntry(entry: Entry): void {
      if (entry.type === "run_end") for (const key of ["retry", "compaction"]) open.delete(key)
      if (entry.type === "compaction") open.delete("compaction")
      if (entry.type === "message" && entry.inputId !== undefined) leaveQueue(entry.inputId)
    },
  }
}

/** The reply as if it had come in one piece. */
function stepsOf({ draftId, model, content }: LiveReply): readonly PublishedStep[] {
  const blocks = content.flatMap((block, index): readonly PublishedStep[] => {
    if (block.type !== "tool_call") return [{ draft: { type: block.type, index, delta: block.text } }]
    const { id, name, argsText } = block
    return [{ draft: { type: "call", index, id, name } }, { draft: { type: "args", index, delta: argsText } }]
  })
  return [{ draft: { type: "start", draftId, model } }, ...blocks]
}
