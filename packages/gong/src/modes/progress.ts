import { type Declarations, type Event, todoHead, todoLines, todosIn } from "@gong/spec"
import { count, seconds } from "@gong/texts/amounts"
import { spanText } from "@gong/texts/spans"
import { statusText } from "@gong/texts/statuses"
import { titleText } from "@gong/texts/titles"
import type { ShowEnd } from "./show-call.ts"
import type { Translate } from "@gong/texts/translator"

/** One line for people from an event; null when there is nothing to say. */
export type ProgressLine = {
  readonly text: string
  readonly kind: ProgressKind
  /** Another text that is still being made; null: there is none after all. Never rejects. */
  readonly instead?: Promise<string | null>
} | null

/** Progress is for terminals, a retry for everybody who did not ask for quiet, a warning for all. */
export type ProgressKind = "progress" | "retry" | "warning"

/**
 * Turns the events of a run into the lines that print mode says on stderr (interface part 1). `undo`: what takes a
 * compaction back; null where nothing does. `show`: who else than Gong may say what became of a call.
 */
export function progressLines(
  t: Translate,
  undo: string | null,
  declared: Declarations,
  show: ShowEnd | null = null,
): (event: Event) => ProgressLine {
  const begun = new Map<string, { readonly title: string; readonly args: Readonly<Record<string, unknown>> }>()
  return (event) => {
    switch (event.type) {
      case "tool_execution_start":
        begun.set(keyOf(event), event)
        // What a session of its own does comes before the line of the call: this one says for what.
        return declared(event.name)?.startsSession === true
          ? { text: `${event.name} ${event.title} ...`, kind: "progress" }
          : null
      case "tool_execution_end": {
        const { title = "", args = {} } = begun.get(keyOf(event)) ?? {}
        begun.delete(keyOf(event))
        const indent = event.parent === undefined ? "" : "  "
        const shown = titleText(t, declared(event.name), { title, args })
        const text = indent + [toolLine(t, event, shown), ...listOf(t, event)].join("\n    ")
        const instead = show?.(event, { title, args }, indent)
        return { text, kind: "progress", ...(instead && { instead }) }
      }
      case "notice":
        return event.level === "warn"
          ? { text: `gong: ${t.text(event.phrase ?? event.text)}`, kind: "warning" }
          : { text: t.text(event.phrase ?? event.text), kind: "progress" }
      case "retry_start": {
        const { failure, attempt, of, delayMs } = event
        const wait = Math.round(delayMs / 100) / 10
        return {
          text: t`gong: ${t(failure)}; try ${attempt + 1} of ${of + 1} in ${wait} s`,
          kind: "retry",
        }
      }
      case "compaction_start":
        return { text: t`compacting the conversation (${count(event.tokens)} tokens) ...`, kind: "progress" }
      case "compaction_end":
        return compactionLine(t, event, undo)
      default:
        return null
    }
  }
}

/** Two sessions may have calls of one id. */
function keyOf({ parent = "", toolCallId }: { readonly parent?: string; readonly toolCallId: string }): string {
  return `${parent} ${toolCallId}`
}

/** Interface 5 M: tokens before and after, and how to undo it. */
function compactionLine(
  t: Translate,
  event: Extract<Event, { type: "compaction_end" }>,
  undo: string | null,
): ProgressLine {
  const { status, tokensBefore, tokensAfter, failure } = event
  if (status !== "done") {
    const why = failure === undefined ? t(status) : t(failure)
    const text = status === "nothing" ? why : t`gong: the conversation was not compacted: ${why}`
    return { text, kind: status === "failed" ? "warning" : "progress" }
  }
  const after = tokensAfter === undefined ? "" : ` -> ${count(tokensAfter)}`
  const back = undo === null ? "" : t` · ${undo} takes it back`
  return { text: t`compacted: ${count(tokensBefore)}${after} tokens${back}`, kind: "progress" }
}

/** What there is to do is for people as much as for the model. */
function listOf(t: Translate, { status, details }: Extract<Event, { type: "tool_execution_end" }>): readonly string[] {
  const todos = status === "ok" ? todosIn(details) : null
  return todos === null ? [] : [spanText(t, { text: "", phrase: todoHead(todos) }), ...todoLines(todos).slice(1)]
}

function toolLine(t: Translate, event: Extract<Event, { type: "tool_execution_end" }>, title: string): string {
  const parts = [`${event.name} ${title}`.trimEnd(), seconds(event.durationMs)]
  const exit = event.details?.["exit_code"]
  if (typeof exit === "number") parts.push(t`exit ${exit}`)
  for (const file of event.files ?? []) parts.push(`+${file.added} -${file.removed}`)
  if (event.status !== "ok" && typeof exit !== "number") parts.push(statusText(t, event.status))
  return parts.join("  ")
}
