import {
  type RenderContext,
  type RenderedLine,
  type RenderedResult,
  type Span,
  type SpanStyle,
  type SummarizedResult,
  todoHead,
  todoLines,
  todosIn,
  type TodoStatus,
} from "@gong/spec"
import { collapsed, line, phraseSpan } from "../render/lines.ts"
import { textLines } from "../render/text-lines.ts"

export function summary({ details }: SummarizedResult): Span {
  return phraseSpan(todoHead(todosIn(details) ?? []))
}

const styles: Readonly<Record<TodoStatus, SpanStyle>> = { pending: "plain", in_progress: "title", completed: "dim" }

export function render(result: RenderedResult, context: RenderContext): readonly RenderedLine[] {
  const todos = todosIn(result.details)
  if (todos === null) return textLines(result, context)
  const [, ...texts] = todoLines(todos)
  const lines = texts.map((text, at) => line(text, styles[todos[at]?.status ?? "pending"]))
  return [[phraseSpan(todoHead(todos), "dim")], ...collapsed(lines, context)]
}
