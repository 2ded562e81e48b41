import type { Event } from "@gong/spec"

/** One line for people from an event; null when there is nothing to say. */
export type ProgressLine = { readonly text: string; readonly kind: ProgressKind } | null

/** Progress is for terminals, a retry for everybody who did not ask for quiet, a warning for all. */
export type ProgressKind = "progress" | "retry" | "warning"

/** Turns the events of a run into the lines that print mode says on stderr (interface part 1). */
export function progressLines(): (event: Event) => ProgressLine {
  const titles = new Map<string, string>()
  return (event) => {
    switch (event.type) {
      case "tool_execution_start":
        titles.set(event.toolCallId, event.title)
        return null
      case "tool_execution_end": {
        const title = titles.get(event.toolCallId) ?? ""
        titles.delete(event.toolCallId)
        return { text: toolLine(event, title), kind: "progress" }
      }
      case "notice":
        return event.level === "warn"
          ? { text: `gong: ${event.text}`, kind: "warning" }
          : { text: event.text, kind: "progress" }
      case "retry_start": {
        const { failure, attempt, of, delayMs } = event
        const wait = Math.round(delayMs / 100) / 10
        return { text: `gong: ${failure.message}; try ${attempt + 1} of ${of + 1} in ${wait} s`, kind: "retry" }
      }
      default:
        return null
    }
  }
}

function toolLine(event: Extract<Event, { type: "tool_execution_end" }>, title: string): string {
  const parts = [`${event.name} ${title}`.trimEnd(), seconds(event.durationMs)]
  const exit = event.details?.["exit_code"]
  if (typeof exit === "number") parts.push(`exit ${exit}`)
  for (const file of event.files ?? []) parts.push(`+${file.added} -${file.removed}`)
  if (event.status !== "ok" && typeof exit !== "number") parts.push(event.status)
  return parts.join("  ")
}

export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

/** `$0.0029`; what is not known is said to be unknown, never shown as 0. */
export function money(cost: number | null): string {
  if (cost === null) return "cost unknown"
  return `$${cost === 0 ? "0.00" : cost < 0.01 ? cost.toFixed(4) : cost.toFixed(3)}`
}
