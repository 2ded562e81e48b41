import type { TapeInfo, UserContent } from "@gong/spec"
import { never, textOf } from "@gong/spec"
import type { Row, ToolRow, Transcript } from "../fold/transcript.ts"

/** A session for people to read and to keep: what was said and done on its active branch, as Markdown. */
export function toMarkdown(info: TapeInfo, name: string | null, { rows }: Transcript): string {
  const head = [`# ${name ?? `Session ${info.id}`}`, `\`${info.cwd}\`, begun ${info.created}`]
  return `${[...head, ...rows.map(rowText)].filter((part) => part !== "").join("\n\n")}\n`
}

function rowText(row: Row): string {
  switch (row.kind) {
    case "user":
      return `## You\n\n${saidIn(row.content)}`
    case "assistant": {
      const { model } = row.message
      const text = textOf(row.message)
      return text === "" ? "" : `## ${model.provider}/${model.id}\n\n${text}`
    }
    case "tool":
      return toolText(row)
    case "run_end": {
      const { status, failure } = row.end
      return status === "done" ? "" : `*${status}${failure === undefined ? "" : `: ${failure.message}`}*`
    }
    case "compaction":
      return `## Compacted: ${row.tokensBefore} tokens became this summary\n\n${row.summary}`
    case "branch":
      return row.summary === "" ? "*Another branch was left here.*" : `## Another branch was left\n\n${row.summary}`
    case "custom":
      return `## ${row.customType}\n\n${saidIn(row.content)}`
    case "model":
      return `*Model: ${row.provider}/${row.modelId}*`
    default:
      return never(row)
  }
}

function toolText({ call, start, result }: ToolRow): string {
  const title = start?.title ?? JSON.stringify(call.arguments)
  const status = result === null ? "not finished" : result.status
  const output = result === null ? "" : saidIn(result.content)
  const head = `### ${call.name}: ${code(title)}${status === "ok" ? "" : ` (${status})`}`
  return output === "" ? head : `${head}\n\n${fenced(output)}`
}

function saidIn(content: readonly UserContent[]): string {
  return content.map((block) => (block.type === "text" ? block.text : `*[image, ${block.mimeType}]*`)).join("\n")
}

/** One line of code, whatever it holds. */
function code(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  const ticks = "`".repeat(longestRun(line) + 1)
  return line.includes("`") ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`
}

/** A block that the text cannot end. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}\n${text}\n${fence}`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}
