import type { McpServerConfig } from "@gong/config/mcp/read"
import type { McpRow } from "./parts.ts"
import type { Member } from "./pool.ts"

/** A configured server as a row of lists. */
export function rowOf({ config, pooled: { server }, on }: Member): McpRow {
  return {
    ...offRow(config),
    state: on ? server.state() : { kind: "off" },
    tools: server.tools()?.map(({ exposed }) => exposed) ?? null,
    prompts: server.prompts().map(({ name }) => name),
    resources: server.hasResources,
    changes: server.changes(),
    problems: server.problems(),
  }
}

export function offRow({ name, level, place, entry }: McpServerConfig): McpRow {
  const target = withoutPasswords(entry.url ?? [entry.command, ...(entry.args ?? [])].join(" "))
  const nothing = { tools: null, prompts: [], resources: false, changes: [], problems: [] }
  return { name, level, place, target, state: { kind: "off" }, ...nothing }
}

/** The same with the passwords of addresses hidden: lists are shown and copied. */
function withoutPasswords(text: string): string {
  return text.replaceAll(/(:\/\/[^/?#@:\s]*):[^/?#@\s]*@/g, "$1:***@")
}
