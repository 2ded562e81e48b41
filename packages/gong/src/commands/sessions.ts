import { type Rendered, textOf } from "@gong/spec"
import { type Row, type ToolRow, transcript } from "@gong/tape"
import { renderersOf } from "@gong/tools/render"
import { readConfig } from "../build/config.ts"
import { modelOf, openToRead, sessionNamed, storedSessions, type TapePlace } from "../build/tape.ts"
import type { Options } from "../config/flags.ts"
import { attempt, must, type Outcome } from "../config/usage.ts"
import { seconds } from "../modes/progress.ts"
import { systemClock, systemIds } from "../ports.ts"
import { shortId, type StoredSession } from "../session/find.ts"
import type { World } from "../world.ts"
import { exportSession, importSession } from "./session-files.ts"

/** `gong sessions [list]` and `gong sessions show ID`. */
export function sessions(world: World, options: Options, words: readonly string[]): Promise<Outcome<string>> {
  return attempt(async () => {
    const place = must(await tapePlace(world, options))
    const [verb, wanted] = words
    if (verb === "show") return shown(place, must(sessionNamed(place, wanted ?? "")))
    if (verb === "export") return must(await exportSession(place, options, wanted ?? ""))
    if (verb === "import") return must(await importSession(place, wanted ?? ""))
    return listed(place, options.all === true)
  })
}

/** Where sessions are, for the commands that look at them. */
export async function tapePlace(world: World, options: Options): Promise<Outcome<TapePlace>> {
  return attempt(async () => {
    const { home, workspace } = must(await readConfig(world, options))
    return { home, workspace, temp: world.temp, clock: systemClock, ids: systemIds(systemClock) }
  })
}

const maxListed = 100

function listed(place: TapePlace, all: boolean): string {
  const everything = storedSessions(place.home)
  const some = all ? everything : everything.filter(({ info }) => info.workspace === place.workspace.folder)
  if (some.length === 0) {
    const others = everything.length - some.length
    const more = others > 0 ? ` (${others} elsewhere: gong sessions --all)` : ""
    return `No sessions in ${place.workspace.folder} yet${more}.\n`
  }
  const rows = some.slice(0, maxListed).map((session) => listRow(place, session, all))
  const cut = some.length > maxListed ? [`... and ${some.length - maxListed} older ones`] : []
  return `${[...rows, ...cut].join("\n")}\n`
}

function listRow(place: TapePlace, session: StoredSession, all: boolean): string {
  const when = new Date(session.modified).toISOString().slice(0, 16).replace("T", " ")
  const tape = openToRead(place, session)
  try {
    const first = tape.entriesOfBranch().find((entry) => entry.type === "input")
    const title = first?.type === "input" ? (first.text.split("\n", 1)[0] ?? "").slice(0, 60) : "(empty)"
    const where = all ? `  ${session.info.workspace}` : ""
    return `${shortId(session.id)}  ${when}  ${modelOf(tape) ?? "-"}${where}  ${title}`
  } finally {
    tape.close()
  }
}

function shown(place: TapePlace, session: StoredSession): string {
  const tape = openToRead(place, session)
  try {
    const { rows } = tape.follow(transcript).value
    const head = `Session ${session.id}\n${session.info.cwd}, begun ${session.info.created}\n${session.path}\n`
    return [head, ...rows.map(rowText)].join("\n")
  } finally {
    tape.close()
  }
}

/** A row of the transcript as plain text. */
function rowText(row: Row): string {
  switch (row.kind) {
    case "user":
      return `> ${textOf(row).replaceAll("\n", "\n> ")}\n`
    case "assistant": {
      const text = textOf(row.message)
      return text === "" ? "" : `${text}\n`
    }
    case "tool":
      return toolText(row)
    case "run_end":
      return row.end.status === "done"
        ? ""
        : `[${row.end.status}${row.end.failure ? `: ${row.end.failure.message}` : ""}]\n`
    case "compaction":
      return `[compacted: ${row.tokensBefore} tokens became this summary]\n${row.summary}\n`
    case "branch":
      return row.summary === "" ? "" : `[another branch was left]\n${row.summary}\n`
    case "custom":
      return `[${row.customType}] ${textOf(row)}\n`
    case "model":
      return `[model: ${row.provider}/${row.modelId}]\n`
  }
}

/** As a terminal would show it, without its styles. */
function toolText({ call, start, result }: ToolRow): string {
  const title = start?.title ?? JSON.stringify(call.arguments)
  const time = result?.durationMs === undefined ? "" : `  ${seconds(result.durationMs)}`
  const { renderCall, renderResult } = renderersOf({ name: call.name, title: () => title })
  const context = { args: call.arguments, expandKey: null }
  const [head = ""] = plainLines(renderCall(call.arguments, context))
  const output = result ? plainLines(renderResult(result, context)).map((line) => `    ${line}`) : []
  return [`  ${head}${time}  ${result?.status ?? "not finished"}`, ...output, ""].join("\n")
}

function plainLines({ lines }: Rendered): readonly string[] {
  return lines.map((line) => line.map(({ text }) => text).join(""))
}
