import type { Clock, Event } from "@gong/spec"
import { seconds } from "@gong/texts/amounts"
import { printableLine } from "@gong/texts/printable"

/** Milliseconds after its start at which a call that still runs is shown; the last time is repeated. */
const shownAfter = [500, 2_000, 10_000, 30_000] as const
const TAIL_MAX_CHARS = 4_000
const LINE_MAX_CHARS = 200

interface Running {
  readonly title: string
  readonly startedAt: number
  /** The end of its output. */
  tail: string
  cancel(): void
}

/**
 * Shows calls that take long, line by line: when they have run for half a second, and with their last line of output after 2,
 * 10 and 30 s and each further 30 s. Calls of subtasks are left to their own lines.
 */
export function runningCalls(clock: Clock, write: (line: string) => void) {
  const running = new Map<string, Running>()
  const show = (call: Running, at: number): void => {
    const due = shownAfter[at] ?? 30_000 * (at - shownAfter.length + 2)
    call.cancel = clock.timer(Math.max(1, call.startedAt + due - clock.now()), () => {
      write(at === 0 ? `${call.title} ...` : `${call.title}  ${seconds(due)}${lastLine(call.tail)}`)
      show(call, at + 1)
    })
  }
  const end = (id: string): void => {
    running.get(id)?.cancel()
    running.delete(id)
  }
  return {
    take(event: Event): void {
      if ("parent" in event && event.parent !== undefined) return
      if (event.type === "tool_execution_start") {
        const title = `${event.name} ${event.title}`.trimEnd()
        const call: Running = { title, startedAt: clock.now(), tail: "", cancel: () => undefined }
        running.set(event.toolCallId, call)
        show(call, 0)
      } else if (event.type === "tool_execution_update") {
        const call = running.get(event.toolCallId)
        if (call) call.tail = (call.tail + event.delta).slice(-TAIL_MAX_CHARS)
      } else if (event.type === "tool_execution_end") end(event.toolCallId)
    },
    /** Nothing is shown from here on. */
    stop(): void {
      for (const id of running.keys()) end(id)
    },
  }
}

function lastLine(tail: string): string {
  const line =
    tail
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1)
      ?.trim() ?? ""
  return line === "" ? "" : `  ${printableLine(line).slice(0, LINE_MAX_CHARS)}`
}
