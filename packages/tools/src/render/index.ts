import type { RenderContext, RenderedLine, Tool, ToolDeclaration, ToolDefinition, ToolRenderers } from "@gong/spec"
import { line, rendered, span } from "./lines.ts"
import { errorLines, textLines } from "./text-lines.ts"

export { summaryOf } from "./summary.ts"

/** A tool with its renderers: its own or the default ones. */
export function defineTool(tool: Tool & Partial<ToolRenderers>): ToolDefinition {
  return { ...renderersOf(tool), ...tool }
}

/** Renderers for calls and results of a tool, from its declaration. */
export function renderersOf(tool: Pick<Tool, "name" | "title"> & ToolDeclaration): ToolRenderers {
  const { effect, render = textLines } = tool
  return {
    renderCall: (args, context) => rendered([callLine(tool, args, context)], context),
    renderResult(result, context) {
      // A failed command is rendered like any other result.
      const lines = (result.isError && effect !== "execute" ? errorLines : render)(result, context)
      return rendered(context.isPartial ? [...lines, line("...", "dim")] : lines, context)
    },
  }
}

/** `name title`. While arguments stream the last one may be incomplete; those before it are complete. */
function callLine(
  tool: Pick<Tool, "name" | "title">,
  args: Readonly<Record<string, unknown>>,
  { isPartial = false }: RenderContext,
): RenderedLine {
  const whole = isPartial ? Object.fromEntries(Object.entries(args).slice(0, -1)) : args
  const title = isPartial && Object.keys(whole).length === 0 ? "" : tool.title(whole)
  const words = [span(tool.name, "name")]
  if (title !== "") words.push(span(` ${title}`, "title"))
  return isPartial ? [...words, span(" ...", "dim")] : words
}
