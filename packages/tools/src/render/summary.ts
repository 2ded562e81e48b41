import { textOf, type FileChange, type RenderedResult, todoLines, todosIn, type ToolStatus } from "@gong/spec"
import { linesOf } from "./lines.ts"

export interface SummarizedResult extends Omit<RenderedResult, "isError"> {
  readonly status: ToolStatus
  readonly files?: readonly FileChange[]
}

/** What came of a call in a few words, for a single row; empty when there is nothing to say. */
export function summaryOf(name: string, result: SummarizedResult): string {
  const { details, status } = result
  const count = (key: string) => Number(details?.[key] ?? 0)
  if (name === "bash") return exitOf(details?.["exit_code"], status)
  if (status !== "ok") return status
  switch (name) {
    case "ls":
      return counted(count("entry_count"), "entry", "entries")
    case "grep":
      return `${counted(count("match_count"), "match", "matches")} in ${counted(count("file_count"), "file")}`
    case "find":
      return counted(count("total"), "path")
    case "read":
      return counted(count("line_count"), "line")
    case "write":
    case "edit":
      return (result.files ?? []).map(({ added, removed }) => `+${added} -${removed}`).join(" ")
    case "todo":
      return todoLines(todosIn(details) ?? [])[0] ?? ""
    default:
      return counted(linesOf(textOf(result)).length, "line")
  }
}

function counted(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

function exitOf(code: unknown, status: ToolStatus): string {
  if (typeof code === "number") return code === 0 ? "" : `exit ${code}`
  return status === "ok" ? "" : status
}
