import {
  textOf,
  type FileChange,
  type Phrase,
  phrase,
  type RenderedResult,
  type Span,
  todoHead,
  todosIn,
  type ToolStatus,
} from "@gong/spec"
import { linesOf, span, spoken } from "./lines.ts"

export interface SummarizedResult extends Omit<RenderedResult, "isError"> {
  readonly status: ToolStatus
  readonly files?: readonly FileChange[]
}

/** What came of a call in a few words, for a single row; its text is empty when there is nothing to say. */
export function summaryOf(name: string, result: SummarizedResult): Span {
  const { details, status } = result
  const count = (key: string) => Number(details?.[key] ?? 0)
  if (name === "bash") return exitOf(details?.["exit_code"], status)
  if (status !== "ok") return spoken(phrase(status))
  switch (name) {
    case "ls":
      return counted(count("entry_count"), "{0} entry", "{0} entries")
    case "grep":
      return spoken(matches(count("match_count"), count("file_count")))
    case "find":
      return counted(count("total"), "{0} path", "{0} paths")
    case "read":
      return lineCount(count("line_count"))
    case "write":
    case "edit":
      return span((result.files ?? []).map(({ added, removed }) => `+${added} -${removed}`).join(" "))
    case "todo":
      return spoken(todoHead(todosIn(details) ?? []))
    default:
      return lineCount(linesOf(textOf(result)).length)
  }
}

function matches(found: number, files: number): Phrase {
  if (files !== 1) return phrase("{0} matches in {1} files", found, files)
  return phrase(found === 1 ? "{0} match in {1} file" : "{0} matches in {1} file", found, files)
}

function lineCount(number: number): Span {
  return counted(number, "{0} line", "{0} lines")
}

function counted(number: number, one: string, many: string): Span {
  return spoken(phrase(number === 1 ? one : many, number))
}

function exitOf(code: unknown, status: ToolStatus): Span {
  if (typeof code === "number") return code === 0 ? span("") : spoken(phrase("exit {0}", code))
  return status === "ok" ? span("") : spoken(phrase(status))
}
