import { type Event, textOf, type ToolExecutionEndEvent } from "@gong/spec"
import { builtInDeclarations } from "@gong/tools"
import { summaryOf } from "@gong/tools/render"
import { seconds } from "@gong/texts/amounts"
import type { Style } from "@gong/texts/style"
import { spanText } from "@gong/texts/spans"
import type { Translate } from "@gong/texts/translator"

const nameWidth = 8
const titleWidth = 45

/** An event of the demo as text; empty if there is nothing to show. */
export function demoRows(t: Translate, style: Style): (event: Event) => string {
  const titles = new Map<string, string>()
  return (event) => {
    if (event.type === "tool_execution_start") titles.set(event.toolCallId, event.title)
    if (event.type === "tool_execution_end") return toolRow(t, style, event, titles.get(event.toolCallId) ?? "")
    if (event.type === "message_end" && event.message.role === "assistant") {
      const text = textOf(event.message)
      return text === "" ? "" : `\n${style.text(text)}\n${event.message.stopReason === "tool_calls" ? "\n" : ""}`
    }
    return ""
  }
}

function toolRow(t: Translate, style: Style, event: ToolExecutionEndEvent, title: string): string {
  const name = style.strong(event.name.padEnd(nameWidth))
  const what = style.line(title).padEnd(titleWidth)
  return `  ${name}${what}${style.muted(outcome(t, event))}\n${diffRows(style, event)}`
}

function outcome(t: Translate, event: ToolExecutionEndEvent): string {
  const declared = builtInDeclarations(event.name)
  const summary = spanText(t, summaryOf(declared, event))
  if (declared?.effect !== "execute") return summary
  const parts = [...testCounts(t, textOf(event)), summary, seconds(event.durationMs)]
  return parts.filter((part) => part !== "").join(", ")
}

function testCounts(t: Translate, text: string): readonly string[] {
  const failing = Number(/fail (\d+)/.exec(text)?.[1] ?? 0)
  const passing = /pass (\d+)/.exec(text)?.[1]
  if (failing > 0) return [t`${failing} failing`]
  return passing === undefined ? [] : [t`${passing} passing`]
}

/** The changed lines of an edit. */
function diffRows(style: Style, event: ToolExecutionEndEvent): string {
  const diff = event.details?.["diff"]
  if (typeof diff !== "string") return ""
  const changed = diff.split("\n").filter((line) => /^[-+]/.test(line))
  return changed.map((line) => `    ${line.startsWith("+") ? style.added(line) : style.removed(line)}\n`).join("")
}
