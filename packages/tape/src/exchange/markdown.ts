import type { TapeInfo, UserContent } from "@gong/spec"
import { never, textOf } from "@gong/spec"
import type { Row, ToolRow, Transcript } from "../fold/transcript.ts"

/** The active branch of a session as Markdown, for people. */
export function toMarkdown(info: TapeInfo, name: string | null, { rows }: Transcript): string {
  const head = [`# ${line(name ?? `Session ${info.id}`)}`, `${code(info.cwd)}, begun ${line(info.created)}`]
  return `${[...head, ...rows.map(rowText)].filter((part) => part !== "").join("\n\n")}\n`
}

function rowText(row: Row): string {
  switch (row.kind) {
    case "user":
      return `## You\n\n${saidIn(row.content)}`
    case "assistant": {
      const { model } = row.message
      const text = textOf(row.message)
      return text === "" ? "" : `## ${line(`${model.provider}/${model.id}`)}\n\n${text}`
    }
    case "tool":
      return toolText(row)
    case "run_end": {
      const { status, failure } = row.end
      return status === "done" ? "" : `*${line(`${status}${failure === undefined ? "" : `: ${failure.message}`}`)}*`
    }
    case "compaction":
      return `## Compacted: ${row.tokensBefore} tokens became this summary\n\n${row.summary}`
    case "branch":
      return row.summary === "" ? "*Another branch was left here.*" : `## Another branch was left\n\n${row.summary}`
    case "custom":
      return `## ${line(row.customType)}\n\n${saidIn(row.content)}`
    case "model":
      return `*Model: ${line(`${row.provider}/${row.modelId}`)}*`
    default:
      return never(row)
  }
}

function toolText({ call, start, result }: ToolRow): string {
  const title = start?.title ?? JSON.stringify(call.arguments)
  const status = result === null ? "not finished" : result.status
  const output = result === null ? "" : saidIn(result.content)
  const head = `### ${line(call.name)}: ${code(title)}${status === "ok" ? "" : ` (${line(status)})`}`
  return output === "" ? head : `${head}\n\n${fenced(output)}`
}

function saidIn(content: readonly UserContent[]): string {
  return content.map((block) => (block.type === "text" ? block.text : `*[image, ${line(block.mimeType)}]*`)).join("\n")
}

/** A name in a heading: one line without HTML, whether it comes from a model, a file or a person. */
function line(text: string): string {
  return text.replace(/\s+/g, " ").trim().replaceAll(/[<`]/g, "\\$&")
}

/** Inline code, for any content. */
function code(text: string): string {
  const words = text.replace(/\s+/g, " ").trim()
  const ticks = "`".repeat(longestRun(words) + 1)
  return words.includes("`") ? `${ticks} ${words} ${ticks}` : `${ticks}${words}${ticks}`
}

/** A code block that its content cannot close. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}\n${text}\n${fence}`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}
