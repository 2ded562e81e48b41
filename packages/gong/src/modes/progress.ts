import type { Event } from "@gong/spec"

/** One line for people from an event; null when there is nothing to say. `quiet` leaves only what went wrong. */
export type ProgressLine = { readonly text: string; readonly warning: boolean } | null

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
        return { text: toolLine(event, title), warning: false }
      }
      case "notice":
        return { text: event.level === "warn" ? `gong: ${event.text}` : event.text, warning: event.level === "warn" }
      case "retry_start": {
        const { failure, attempt, of, delayMs } = event
        return {
          text: `gong: ${failure.message}; try ${attempt + 1} of ${of + 1} in ${delayMs / 1000} s`,
          warning: true,
        }
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
