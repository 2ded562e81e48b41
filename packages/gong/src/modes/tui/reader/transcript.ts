import { type Clock, type Declarations, type RenderedLine, textOf, type ToolDeclaration } from "@gong/spec"
import { highlighterOf, languagesIn, loadLanguage } from "@gong/screen/code"
import { markdownStream } from "@gong/screen/markdown"
import { outputReader } from "@gong/screen/command-output"
import type { Block, Line } from "@gong/screen/row"
import { withWordMarks } from "@gong/screen/word-marks"
import type { Session } from "@gong/session/session"
import { type Row, type ToolRow, transcript } from "@gong/tape"
import { renderersOf } from "@gong/tools/render"
import { seconds } from "@gong/texts/amounts"
import { spanText } from "@gong/texts/spans"
import { statusText } from "@gong/texts/statuses"
import { titleText } from "@gong/texts/titles"
import type { Translate } from "@gong/texts/translator"
import type { Passage } from "./reader.ts"
import { roleOf } from "../text/roles.ts"

interface TranscriptOptions {
  readonly t: Translate
  readonly clock: Clock
  /** Of the screen now. */
  columns(): number
}

interface RowOptions extends Pick<TranscriptOptions, "t"> {
  readonly declared: Declarations
  /** The lines of a text in Markdown. */
  markdown(text: string): readonly Block[]
}

/** Rows that are rendered before keys are read again. */
const GROUP = 100

/** Passages of the transcript of the active branch, nothing folded: groups of them, the last group first. */
export async function* transcriptPassages(
  session: Session,
  { t, clock, columns }: TranscriptOptions,
): AsyncGenerator<readonly Passage[]> {
  const { rows } = session.history.follow(transcript).value
  const options = { t, declared: session.declared, markdown: (text: string) => markdownLines(text, columns()) }
  for (let end = rows.length; end > 0; end -= GROUP) {
    const group = rows.slice(Math.max(0, end - GROUP), end)
    const languages = group.flatMap((row) => (row.kind === "assistant" ? languagesIn(textOf(row.message)) : []))
    await Promise.all(languages.map(loadLanguage))
    yield group.map((row) => passageOf(row, options))
    await clock.sleep(0)
  }
}

function markdownLines(text: string, columns: number): readonly Block[] {
  const stream = markdownStream({ columns, highlighter: highlighterOf })
  return [...stream.feed(text), ...stream.end()]
}

function passageOf(row: Row, options: RowOptions): Passage {
  const blocks = blocksOf(row, options)
  return {
    blocks: blocks.length === 0 ? [] : [...blocks, blank],
    isMessage: row.kind === "user" || row.kind === "assistant",
    ...(row.kind === "user" && { source: textOf(row) }),
    ...(row.kind === "assistant" && { source: textOf(row.message) }),
  }
}

const blank: Block = { line: [], whole: false }

function blocksOf(row: Row, options: RowOptions): readonly Block[] {
  const { t, markdown } = options
  switch (row.kind) {
    case "user":
      return linesOf(textOf(row), { indent: [{ text: "> ", role: "strong" }] })
    case "assistant":
      return row.message.content.flatMap((part) => {
        if (part.type === "text") return markdown(part.text)
        return part.type === "thinking" && part.text !== "" ? [...linesOf(part.text, {}, "muted"), blank] : []
      })
    case "tool":
      return toolBlocks(row, options)
    case "run_end": {
      const { status, failure } = row.end
      if (status === "done") return []
      return linesOf(`[${statusText(t, status)}${failure ? `: ${t(failure)}` : ""}]`, {}, "muted")
    }
    case "compaction":
      return [
        ...linesOf(t`[compacted: ${row.tokensBefore} tokens became this summary]`, {}, "muted"),
        ...markdown(row.summary),
      ]
    case "branch":
      return row.summary === ""
        ? []
        : [...linesOf(t`[summary of another branch]`, {}, "muted"), ...markdown(row.summary)]
    case "custom":
      return linesOf(`[${row.customType}] ${textOf(row)}`)
    case "model":
      return linesOf(t`[model: ${row.provider}/${row.modelId}]`, {}, "muted")
  }
}

function linesOf(text: string, more: Partial<Block> = {}, role?: string): readonly Block[] {
  const style = role === undefined ? {} : { role }
  return text
    .split("\n")
    .map((line) => ({ line: line === "" ? [] : [{ text: line, ...style }], whole: false, ...more }))
}

function toolBlocks({ call, start, result }: ToolRow, { t, declared }: RowOptions): readonly Block[] {
  const tool: ToolDeclaration | null = declared(call.name)
  const args = start?.arguments ?? call.arguments
  const title = start ? titleText(t, tool, { title: start.title, args }) : JSON.stringify(args)
  const time = result?.durationMs === undefined ? "" : `  ${seconds(result.durationMs)}`
  const status = result === null ? t`not finished` : statusText(t, result.status)
  const isFailed = result !== null && result.status !== "ok"
  const head: Block = {
    line: [
      { text: call.name, role: "strong" },
      { text: ` ${title}` },
      { text: `${time}  ${status}`, role: isFailed ? "error" : "muted" },
    ],
    whole: false,
  }
  if (result === null) return [head]
  const { renderResult } = renderersOf({ ...tool, name: call.name, title: () => title })
  const { lines } = renderResult(result, { args, expandKey: null, expanded: true })
  const output = outputReader()
  const shown = lines.map((line): Line => [
    { text: "  " },
    ...spansOf(t, line).flatMap(({ text, role }) => output.line(text, role)),
  ])
  return [head, ...withWordMarks(shown).map((line): Block => ({ line, whole: true }))]
}

function spansOf(t: Translate, line: RenderedLine): Line {
  return line.map((span) => ({ text: spanText(t, span), ...roleOf(span.style) }))
}
