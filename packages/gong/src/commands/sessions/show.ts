import { type Rendered, textOf } from "@gong/spec"
import { type Row, type ToolRow, transcript } from "@gong/tape"
import { builtInDeclarations } from "@gong/tools"
import { renderersOf } from "@gong/tools/render"
import { openToRead } from "@gong/app/compose/tapes/tape"
import { findSession } from "@gong/app/compose/tapes/find-session"
import { ok, type Outcome } from "@gong/config/usage"
import { seconds } from "@gong/texts/amounts"
import type { CommandOutput, CommandContext } from "./output.ts"
import { statusText } from "@gong/texts/statuses"
import { titleText } from "@gong/texts/titles"
import { spanText } from "@gong/texts/spans"
import type { Translate } from "@gong/texts/translator"

/** `gong sessions show ID`: the transcript of the active branch; with --json its entries. */
export async function showSession({ place, cli }: CommandContext, wanted: string): Promise<Outcome<CommandOutput>> {
  const session = await findSession(place, wanted)
  if (!session.ok) return session
  const { id, path, info } = session.value
  const tape = await openToRead(place, session.value)
  try {
    const { rows } = tape.follow(transcript).value
    const head = cli.t`Session ${id}\n${info.cwd}, created ${info.created}\n${path}\n`
    const text = cli.style.text([head, ...rows.map((one) => rowText(cli.t, one))].join("\n"))
    return ok({ text, json: { ...info, path, entries: tape.entriesOfBranch(), damage: tape.store.damage } })
  } finally {
    tape.close()
  }
}

/** A row of the transcript as plain text. */
function rowText(t: Translate, row: Row): string {
  switch (row.kind) {
    case "user":
      return `> ${textOf(row).replaceAll("\n", "\n> ")}\n`
    case "assistant": {
      const text = textOf(row.message)
      return text === "" ? "" : `${text}\n`
    }
    case "tool":
      return toolText(t, row)
    case "run_end":
      return row.end.status === "done"
        ? ""
        : `[${statusText(t, row.end.status)}${row.end.failure ? `: ${t(row.end.failure)}` : ""}]\n`
    case "compaction":
      return t`[compacted: ${row.tokensBefore} tokens became this summary]\n${row.summary}\n`
    case "branch":
      return row.summary === "" ? "" : t`[summary of another branch]\n${row.summary}\n`
    case "custom":
      return `[${row.customType}] ${textOf(row)}\n`
    case "model":
      return t`[model: ${row.provider}/${row.modelId}]\n`
  }
}

/** A call with its result, without styles. */
function toolText(t: Translate, { call, start, result }: ToolRow): string {
  const declared = builtInDeclarations(call.name)
  const title = start
    ? titleText(t, declared, { title: start.title, args: call.arguments })
    : JSON.stringify(call.arguments)
  const time = result?.durationMs === undefined ? "" : `  ${seconds(result.durationMs)}`
  const { renderCall, renderResult } = renderersOf({ ...declared, name: call.name, title: () => title })
  const context = { args: call.arguments, expandKey: null }
  const [head = ""] = plainLines(t, renderCall(call.arguments, context))
  const output = result ? plainLines(t, renderResult(result, context)).map((line) => `    ${line}`) : []
  return [`  ${head}${time}  ${result === null ? t`not finished` : statusText(t, result.status)}`, ...output, ""].join(
    "\n",
  )
}

function plainLines(t: Translate, { lines }: Rendered): readonly string[] {
  return lines.map((line) => line.map((one) => spanText(t, one)).join(""))
}
