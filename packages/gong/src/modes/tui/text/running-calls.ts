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
  const calls = callList(clock, changed)
  const { start, append, end, clear } = calls

  function endThinking(): number | null {
    const since = calls.startOf(THINKING)
    end(THINKING)
    return since === null ? null : clock.now() - since
  }

  function takeUpdate(event: Extract<Event, { type: "message_update" }>): number | null {
    if (event.kind === "thinking") {
      if (calls.startOf(THINKING) === null) start(THINKING, t`thinking`, true)
      append(THINKING, event.delta)
      return null
    }
    const thought = endThinking()
    const { toolCallId: id, name = "" } = event
    if (id !== undefined && calls.startOf(id) === null) start(id, `${name} ...`)
    return thought
  }

  /** An event of the task of a call. */
  function takeOfTask(call: string, event: Event): void {
    if (event.type !== "tool_execution_start") return
    const text = `${event.name} ${event.title}`.trimEnd()
    calls.setTail(call, [[{ text, role: "muted" }]])
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

/** `changed` gets all of them after each change. */
function callList(clock: Clock, changed: RunningCallsOptions["changed"]) {
  const running = new Map<string, RunningCall>()
  const tails = new Map<string, string>()
  const show = (): void => changed([...running.values()])

  function start(id: string, title: string, isProse = false): void {
    running.set(id, { id, title, startedAt: clock.now(), tail: [], isProse })
    show()
  }

  function setTail(id: string, tail: readonly Line[]): void {
    const call = running.get(id)
    if (call === undefined) return
    running.set(id, { ...call, tail })
    show()
  }

  return {
    start,
    setTail,
    append(id: string, delta: string): void {
      const tail = `${tails.get(id) ?? ""}${delta}`.slice(-TAIL_MAX_CHARS)
      tails.set(id, tail)
      setTail(id, lastRows(tail))
    },
    end(id: string): void {
      tails.delete(id)
      if (running.delete(id)) show()
    },
    clear(): void {
      running.clear()
      tails.clear()
      show()
    },
    /** Null: it is not running. */
    startOf: (id: string) => running.get(id)?.startedAt ?? null,
  }
}

function lastRows(tail: string): readonly Line[] {
  const output = outputReader()
  const rows = tail.trimEnd().split("\n").slice(-TAIL_ROWS)
  return rows.map((row) => output.line(row.trimEnd(), "muted")).filter((row) => row.length > 0)
}
