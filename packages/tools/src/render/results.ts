import {
  textOf,
  type RenderContext,
  type RenderedLine,
  type RenderedResult,
  type SpanStyle,
  todoHead,
  todoLines,
  todosIn,
  type TodoStatus,
} from "@gong/spec"
import { collapsed, line, linesOf, span, spoken } from "./lines.ts"

/** How the result of each tool is shown, and that of a tool that is not ours. */
export type ResultLines = (result: RenderedResult, context: RenderContext) => readonly RenderedLine[]

const DIFF_COLLAPSED_LINES = 40

/** With line numbers; the model gets the text without them, because it has to edit the exact text. */
const readLines: ResultLines = (result, context) => {
  const lines = linesOf(textOf(result))
  const shown = Number(result.details?.["line_count"] ?? lines.length)
  const first = Math.max(1, Number(context.args?.["offset"] ?? 1))
  const width = String(first + shown - 1).length
  const numbered = lines
    .slice(0, shown)
    .map((text, at) => [span(`${String(first + at).padStart(width)}  `, "number"), span(text)])
  // Below the lines of the file stands what read says about them.
  const said = lines.slice(shown).filter((text) => text !== "")
  return [...collapsed(numbered, context), ...said.map((text) => line(text, "dim"))]
}

const editLines: ResultLines = (result, context) => {
  const diff = result.details?.["diff"]
  if (typeof diff !== "string") return textLines(result, context)
  return collapsed(linesOf(diff).map(diffLine), context, { max: DIFF_COLLAPSED_LINES })
}

function diffLine(text: string): RenderedLine {
  if (text.startsWith("+")) return line(text, "added")
  if (text.startsWith("-")) return line(text, "removed")
  return line(text, text.trim() === "..." ? "dim" : "plain")
}

/** How a command ended stands last. */
const bashLines: ResultLines = (result, context) =>
  collapsed(
    linesOf(textOf(result)).map((text) => line(text)),
    context,
    { keep: "last" },
  )

const todoListLines: ResultLines = (result, context) => {
  const todos = todosIn(result.details)
  if (todos === null) return textLines(result, context)
  const style: Readonly<Record<TodoStatus, SpanStyle>> = { pending: "plain", in_progress: "title", completed: "dim" }
  const [, ...lines] = todoLines(todos)
  return [
    [spoken(todoHead(todos), "dim")],
    ...collapsed(
      lines.map((text, at) => line(text, style[todos[at]?.status ?? "pending"])),
      context,
    ),
  ]
}

export const textLines: ResultLines = (result, context) => {
  const images = result.content.flatMap((block) => (block.type === "image" ? [line(`[${block.mimeType}]`, "dim")] : []))
  return [
    ...collapsed(
      linesOf(textOf(result)).map((text) => line(text)),
      context,
    ),
    ...images,
  ]
}

export const errorLines: ResultLines = (result, context) =>
  collapsed(
    linesOf(textOf(result)).map((text) => line(text, "error")),
    context,
    { keep: "last" },
  )

export const resultLines: Readonly<Record<string, ResultLines>> = {
  read: (result, context) =>
    (result.content.some((block) => block.type === "image") ? textLines : readLines)(result, context),
  edit: editLines,
  bash: bashLines,
  todo: todoListLines,
}
