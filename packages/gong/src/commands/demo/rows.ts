import { type Event, textOf, type ToolExecutionEndEvent } from "@gong/spec"
import { summaryOf } from "@gong/tools/render"
import { seconds } from "../../terminal/amounts.ts"
import type { Style } from "../../terminal/style.ts"
import { say, spanText } from "../../texts/say.ts"

const nameWidth = 8
const titleWidth = 45

/** An event of the demo as text for the screen; empty when there is nothing to show. */
export function demoRows(style: Style): (event: Event) => string {
  const titles = new Map<string, string>()
  return (event) => {
    if (event.type === "tool_execution_start") titles.set(event.toolCallId, event.title)
    if (event.type === "tool_execution_end") return toolRow(style, event, titles.get(event.toolCallId) ?? "")
    if (event.type === "message_end" && event.message.role === "assistant") {
      const text = textOf(event.message)
      return text === "" ? "" : `\n${style.text(text)}\n${event.message.stopReason === "tool_calls" ? "\n" : ""}`
    }
    return ""
  }
}

function toolRow(style: Style, event: ToolExecutionEndEvent, title: string): string {
  const name = style.strong(event.name.padEnd(nameWidth))
  const what = style.line(title).padEnd(titleWidth)
  return `  ${name}${what}${style.muted(outcome(event))}\n${diffRows(style, event)}`
}

function outcome(event: ToolExecutionEndEvent): string {
  const summary = spanText(summaryOf(event.name, event))
  if (event.name !== "bash") return summary
  const parts = [...testCounts(textOf(event)), summary, seconds(event.durationMs)]
  return parts.filter((part) => part !== "").join(", ")
}

function testCounts(text: string): readonly string[] {
  const failing = Number(/fail (\d+)/.exec(text)?.[1] ?? 0)
  const passing = /pass (\d+)/.exec(text)?.[1]
  if (failing > 0) return [say`${failing} failing`]
  return passing === undefined ? [] : [say`${passing} passing`]
}

/** The changed lines of an edit. */
function diffRows(style: Style, event: ToolExecutionEndEvent): string {
  const diff = event.details?.["diff"]
  if (typeof diff !== "string") return ""
  const changed = diff.split("\n").filter((line) => /^[-+]/.test(line))
  return changed.map((line) => `    ${line.startsWith("+") ? style.added(line) : style.removed(line)}\n`).join("")
}
