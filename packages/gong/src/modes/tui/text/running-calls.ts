import type { Clock, Event } from "@gong/spec"
import { outputReader } from "@gong/screen/command-output"
import type { Line } from "@gong/screen/row"
import type { Translate } from "@gong/texts/translator"
import type { RunningCall } from "../state.ts"

/** Characters of output that are kept, and rows of it. */
const TAIL_MAX_CHARS = 4_000
const TAIL_ROWS = 5
/** The id of the thinking of the model, which is shown like a call. */
const THINKING = ""

export interface RunningCalls {
  /** Returns the milliseconds of the thinking that has ended with this event; null: none. */
  take(event: Event): number | null
  clear(): void
}

export interface RunningCallsOptions {
  readonly t: Translate
  readonly clock: Clock
  changed(running: readonly RunningCall[]): void
}

/**
 * Calls that are in progress, with the end of their output, from the first of their arguments on, and the end of the thinking.
 * Of a task its last call is shown.
 */
export function runningCalls({ t, clock, changed }: RunningCallsOptions): RunningCalls {
  const running = new Map<string, RunningCall>()
  const tails = new Map<string, string>()
  const show = (): void => changed([...running.values()])

  function start(id: string, title: string, isProse = false): void {
    running.set(id, { id, title, startedAt: clock.now(), tail: [], isProse })
    show()
  }

  function setTail(id: string, tail: (call: RunningCall) => readonly Line[]): void {
    const call = running.get(id)
    if (call === undefined) return
    running.set(id, { ...call, tail: tail(call) })
    show()
  }

  function append(id: string, delta: string): void {
    setTail(id, () => {
      const tail = `${tails.get(id) ?? ""}${delta}`.slice(-TAIL_MAX_CHARS)
      tails.set(id, tail)
      return lastRows(tail)
    })
  }

  function end(id: string): void {
    tails.delete(id)
    if (running.delete(id)) show()
  }

  function endThinking(): number | null {
    const thinking = running.get(THINKING)
    end(THINKING)
    return thinking === undefined ? null : clock.now() - thinking.startedAt
  }

  function clear(): void {
    running.clear()
    tails.clear()
    show()
  }

  function takeUpdate(event: Extract<Event, { type: "message_update" }>): number | null {
    if (event.kind === "thinking") {
      if (!running.has(THINKING)) start(THINKING, t`thinking`, true)
      append(THINKING, event.delta)
      return null
    }
    const thought = endThinking()
    const { toolCallId: id, name = "" } = event
    if (id !== undefined && !running.has(id)) start(id, `${name} ...`)
    return thought
  }

  /** An event of the task of a call. */
  function takeOfTask(call: string, event: Event): void {
    if (event.type !== "tool_execution_start") return
    const text = `${event.name} ${event.title}`.trimEnd()
    setTail(call, () => [[{ text, role: "muted" }]])
  }

  return {
    take(event) {
      if ("parent" in event && event.parent !== undefined) {
        takeOfTask(event.parent, event)
        return null
      }
      switch (event.type) {
        case "message_update":
          return takeUpdate(event)
        case "message_end":
          return endThinking()
        case "tool_execution_start":
          start(event.toolCallId, `${event.name} ${event.title}`.trimEnd())
          break
        case "tool_execution_update":
          append(event.toolCallId, event.delta)
          break
        case "tool_execution_end":
          end(event.toolCallId)
          break
        case "permission_request":
          // The question shows the call.
          if (event.toolCallId !== undefined) end(event.toolCallId)
          break
        case "agent_end":
          clear()
          break
        default:
      }
      return null
    },
    clear,
  }
}

function lastRows(tail: string): readonly Line[] {
  const output = outputReader()
  const rows = tail.trimEnd().split("\n").slice(-TAIL_ROWS)
  return rows.map((row) => output.line(row.trimEnd(), "muted")).filter((row) => row.length > 0)
}
