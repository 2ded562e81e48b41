import { table } from "@gong/texts/table"
import { changeTexts, rowTexts, stateText } from "../../../administration/mcp-texts.ts"
import type { McpRow } from "../../../compose/mcp/parts.ts"
import { mcpActions } from "../../../controller/commands.ts"
import { errorOutput, output, type SlashCommand, type SlashContext, type SlashResult } from "../../command.ts"

type Action = (typeof mcpActions)[number]

export const mcp: SlashCommand = {
  name: "mcp",
  about: "MCP servers: their tools, start, on, off, accept changes, log in",
  value: "[ACTION] [SERVER]",
  async complete({ controller }) {
    const names = controller.current.mcp.rows().map(({ name }) => name)
    return [...names, ...mcpActions.flatMap((action) => names.map((name) => `${action} ${name}`))].map((value) => ({
      value,
    }))
  },
  async run(context, rest) {
    const { t, controller } = context
    const rows = controller.current.mcp.rows()
    const [first = "", second = ""] = rest.split(/\s+/u)
    const action = mcpActions.find((one) => one === first)
    if (action !== undefined) return act(context, action, second)
    if (rest !== "") return showServer(context, rows, rest)
    if (rows.length === 0)
      return output([t`No MCP servers. Add one: gong mcp add NAME -- COMMAND, or gong mcp add NAME URL`])
    const cells = rows.map((row) => [row.name, stateText(t, row), row.target].map((text) => ({ text })))
    return output(table(cells), { servers: rows })
  },
}

function showServer({ t }: SlashContext, rows: readonly McpRow[], name: string): SlashResult {
  const row = rows.find((one) => one.name === name)
  return row === undefined ? output([t`There is no MCP server ${name}.`]) : output(rowTexts(t, row), row)
}

async function act(context: SlashContext, action: Action, server: string): Promise<SlashResult> {
  const { t, controller, user } = context
  const before = controller.current.mcp.rows().find(({ name }) => name === server)
  if (before === undefined) return output([t`There is no MCP server ${server}.`])
  if (action === "accept") {
    const lines = changeTexts(before.changes)
    if (lines.length === 0) return output([t`${server} has the tools that you accepted.`])
    if (!(await user.confirm([...lines, t`Use the tools of ${server} as they are now?`].join("\n"))))
      return output([t`Nothing has changed.`])
  }
  const answer = await controller.call("set_mcp", { server, action })
  if (!answer.ok) return errorOutput(t, answer)
  return showServer(context, answer.data.servers, server)
}
