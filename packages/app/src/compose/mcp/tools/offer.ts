import type { Tool, ToolContext } from "@gong/spec"
import { directBytes, mcpTool } from "./mcp-tool.ts"
import type { Member } from "../pool.ts"
import { resourceTool } from "./resource-tool.ts"
import { type OfferedTool, serverTool } from "./server-tools.ts"

export interface OfferDeps {
  readonly session: unknown
  readonly imageMaxBytes: number
  start(member: Member, context: ToolContext): Promise<string | null>
}

/** All as tools of their own while their definitions are small, else the one tool that finds and calls them. */
export function toolsOf(members: readonly Member[], deps: OfferDeps): readonly Tool[] {
  const active = members.filter(({ on }) => on)
  const offered = offeredBy(members)
  const bytes = offered.reduce(
    (sum, { tool }) => sum + JSON.stringify([tool.exposed, tool.description, tool.schema]).length,
    0,
  )
  const isDirect = bytes <= directBytes && offered.every(({ tool }) => isPlain(tool.schema))
  const unlisted = active.filter(({ pooled }) => pooled.server.tools() === null)
  const described = isDirect ? [] : offered
  const withResources = active.map(({ pooled }) => pooled.server).filter(({ hasResources }) => hasResources)
  const finder = mcpTool({
    ...deps,
    tools: () => offeredBy(members),
    described,
    unlisted: unlisted.map(({ config }) => config.name),
    // Their tools stay behind this one until the next session: another list of tools would cost the provider's cache.
    list: async (context) => {
      const now = unlisted.filter(({ on, pooled }) => on && pooled.server.tools() === null)
      const failures = await Promise.all(now.map((member) => deps.start(member, context)))
      return failures.filter((line) => line !== null)
    },
  })
  return [
    ...(isDirect ? offered.map((one) => serverTool(one, deps)) : []),
    ...(described.length > 0 || unlisted.length > 0 ? [finder] : []),
    ...(withResources.length > 0 ? [resourceTool(() => withResources, deps)] : []),
  ]
}

/** The tools that may be called now. */
function offeredBy(members: readonly Member[]): readonly OfferedTool[] {
  return members.flatMap(({ config, pooled: { server }, on }) =>
    on ? (server.tools() ?? []).map((tool) => ({ server, tool, local: config.entry.url === undefined })) : [],
  )
}

/** Providers refuse some schemas, and with them the whole request. */
function isPlain(schema: Readonly<Record<string, unknown>>): boolean {
  return !["anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"].some((keyword) => Object.hasOwn(schema, keyword))
}
