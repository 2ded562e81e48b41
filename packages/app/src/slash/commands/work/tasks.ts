import { type Declarations, textOf } from "@gong/spec"
import { type ReadonlyTape, type ToolRow, transcript } from "@gong/tape"
import { amountText } from "@gong/texts/amounts"
import { statusText } from "@gong/texts/statuses"
import type { Translate } from "@gong/texts/translator"
import { output, type SlashCommand } from "../../command.ts"

export const tasks: SlashCommand = {
  name: "tasks",
  aliases: ["agents"],
  about: "tasks that the model has given to sessions of their own",
  value: "[N]",
  async run({ t, controller, user }, typed) {
    const { session } = controller.current
    const found = tasksIn(session.history, session.declared)
    const rows = found.map((row) => rowOf(t, row))
    if (found.length === 0) return output([t`The model has given no tasks.`], { tasks: [] })
    const preview = async (at: number) => reportOf(found[at]).split("\n")
    const at = typed === "" ? await user.choose(t`Which task?`, rows, { preview }) : Number(typed.normalize("NFKC")) - 1
    const row = at === null ? undefined : found[at]
    if (at !== null && row === undefined) return output([t`There are ${found.length} tasks.`])
    if (row === undefined) return output([], { tasks: found.map(dataOf) })
    const { session: id } = detailsOf(row)
    const where = id === undefined ? [] : [t`gong sessions show ${id} shows its steps.`]
    return output([rowOf(t, row), ...reportOf(row).split("\n"), ...where], dataOf(row))
  },
}

/** The calls of the active branch that began a session of their own, the newest first. */
function tasksIn(history: ReadonlyTape, declared: Declarations): readonly ToolRow[] {
  return history
    .follow(transcript)
    .value.rows.filter((row) => row.kind === "tool")
    .filter(({ call, start }) => start !== null && declared(call.name)?.startsSession === true)
    .toReversed()
}

interface TaskFacts {
  readonly session?: string
  readonly tool_calls?: number
  readonly cost?: number | null
}

function detailsOf({ result }: ToolRow): TaskFacts {
  return (result?.details ?? {}) as TaskFacts
}

function rowOf(t: Translate, row: ToolRow): string {
  const { start, result } = row
  const { tool_calls: calls, cost } = detailsOf(row)
  const facts = [
    result === null ? t`not finished` : statusText(t, result.status),
    ...(calls === undefined ? [] : [calls === 1 ? t`1 tool call` : t`${calls} tool calls`]),
    ...(cost === undefined || cost === null || cost === 0 ? [] : [amountText(t, { cost })]),
  ]
  return `${start?.title ?? ""}  ${facts.join(", ")}`
}

function reportOf(row: ToolRow | undefined): string {
  return row?.result ? textOf(row.result).trimEnd() : ""
}

function dataOf(row: ToolRow): object {
  const { start, result } = row
  return { title: start?.title ?? "", status: result?.status ?? "running", ...detailsOf(row) }
}
