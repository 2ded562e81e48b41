import type { ToolCall, ToolSpec } from "@gong/spec"
import { checkedCall } from "./check-call.ts"
import { callsOfValue, formats, type Written } from "./formats.ts"
import { jsonValueAt } from "./json-value.ts"
import { marksIn } from "./marks.ts"

type FoundCall = Pick<ToolCall, "name" | "arguments">

/** A reply's text with its calls, in order. */
export type Segment = { readonly text: string } | { readonly call: FoundCall }

/** Marks tried per text; a text with more is about such marks. */
const maxMarks = 100

/**
 * Tool calls that a model wrote as text, because its server has no template for them. A call with a mark counts anywhere
 * outside of quotations, a bare JSON object or one in a fence only at the end of the text. Null for no call.
 */
export function findCalls(text: string, tools: readonly ToolSpec[]): readonly Segment[] | null {
  const segments: Segment[] = []
  let from = 0
  for (const at of marksIn(text).slice(0, maxMarks)) {
    const found = at < from ? null : callsAt(text, at, tools)
    if (found === null) continue
    addText(segments, text.slice(from, at))
    for (const call of found.calls) segments.push({ call })
    from = found.end
  }
  if (from > 0) return addText(segments, text.slice(from))
  return callsAtEnd(text, tools)
}

function addText(segments: Segment[], text: string): Segment[] {
  if (text.trim() !== "") segments.push({ text: text.trimEnd() })
  return segments
}

/** Consecutive calls from a mark to the end of a line; null unless each of them counts. */
function callsAt(text: string, at: number, tools: readonly ToolSpec[]): { calls: FoundCall[]; end: number } | null {
  const calls: FoundCall[] = []
  let end = at
  for (let found = read(text, end, tools); found !== null; found = read(text, spaceEnd(text, end), tools)) {
    calls.push(...found.calls)
    end = found.end
  }
  return calls.length > 0 && /^[^\S\n]*(?:\n|$)/.test(text.slice(end, end + 200)) ? { calls, end } : null
}

function read(text: string, at: number, tools: readonly ToolSpec[]): { calls: FoundCall[]; end: number } | null {
  for (const format of formats) {
    const found = format.read(text, at)
    const calls = found && checked(found.calls, tools)
    if (found && calls) return { calls, end: found.end }
  }
  return null
}

function spaceEnd(text: string, at: number): number {
  let end = at
  while (/\s/.test(text[end] ?? "")) end++
  return end
}

function checked(written: Written["calls"], tools: readonly ToolSpec[]): FoundCall[] | null {
  const calls = written.map((call) => checkedCall(call, tools))
  return calls.every((call) => call !== null) ? calls : null
}

/** In a fence of its own, or bare; with the end marks of some models. */
const atEnd = /(?:^|\n) {0,3}(?:(?:```|~~~)(?:json|tool_call|tool_code|tool)?[ \t]*\n)?\s*(?=[{[])/g
const onlyEnd = /\s*(?:(?:```|~~~)\s*)?(?:<\|(?:im_end|eot_id|eom_id)\|>|<\/s>)?\s*$/y
const fenceMarks = /```|~~~/

function callsAtEnd(text: string, tools: readonly ToolSpec[]): readonly Segment[] | null {
  for (const match of text.matchAll(atEnd)) {
    const found = jsonValueAt(text, match.index + match[0].length)
    if (found === null) continue
    onlyEnd.lastIndex = found.end
    const rest = onlyEnd.exec(text)
    if (rest === null || fenceMarks.test(match[0]) !== fenceMarks.test(rest[0])) continue
    const calls = checked(callsOfValue(found.value) ?? [], tools)
    if (calls && calls.length > 0)
      return [...addText([], text.slice(0, match.index)), ...calls.map((call) => ({ call }))]
  }
  return null
}
