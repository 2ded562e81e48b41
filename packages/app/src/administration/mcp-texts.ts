import { changeLines, type ToolChange } from "@gong/mcp"
import { printable, printableLine } from "@gong/texts/printable"
import type { Translate } from "@gong/texts/translator"
import type { McpRow } from "../compose/mcp/parts.ts"

/** The state of a server in a few words. */
export function stateText(t: Translate, { state, tools, changes }: McpRow): string {
  if (state.kind === "off") return t`off`
  if (state.kind === "failed") return t`failed: ${printableLine(state.why)}`
  if (state.kind === "login") return t`requires a login`
  if (changes.some(({ kind }) => kind !== "removed")) return t`changed tools are off`
  if (tools === null) return t`never started`
  return tools.length === 1 ? t`1 tool` : t`${tools.length} tools`
}

/** One server with all that it offers. */
export function rowTexts(t: Translate, row: McpRow): readonly string[] {
  const { name, state, tools, prompts, resources, problems, changes, target, place } = row
  const title = state.kind === "ready" ? `, ${printableLine(state.title)}, ${state.revision}` : ""
  return [
    `${name}: ${stateText(t, row)}${title}`,
    `  ${printableLine(target)} (${place})`,
    ...(tools ?? []).map((tool) => `  ${tool}`),
    ...prompts.map((prompt) => `  /${name}:${prompt}`),
    ...(resources ? [t`  resources: @${name}:URI`] : []),
    ...problems.map((problem) => t`  left out: ${printableLine(problem)}`),
    ...(changes.length === 0 ? [] : [t`  changed since you accepted them (gong mcp trust ${name}):`]),
    ...changeTexts(changes).map((line) => `  ${line}`),
  ]
}

const maxLines = 400

export function changeTexts(changes: readonly ToolChange[]): readonly string[] {
  return changeLines(changes)
    .slice(0, maxLines)
    .map((line) => printable(line).slice(0, 500))
}
