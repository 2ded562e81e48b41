import type { ShowCall, ShownCall, ToolExecutionEndEvent } from "@gong/spec"

/** Renders an ended call with `indent` before each line; null, without a promise, if no extension renders this tool. */
export type RenderCallEnd = (
  event: ToolExecutionEndEvent,
  call: Pick<ShownCall, "title" | "args">,
  indent: string,
) => Promise<string | null> | null

/** Renders calls by the extensions of the open session. */
export function extensionRenderer(
  terminal: { readonly columns: number },
  renderers: () => ReadonlyMap<string, ShowCall>,
): RenderCallEnd {
  return ({ toolCallId, name, status, content, details, durationMs }, { title, args }, indent) => {
    const render = renderers().get(name)
    if (render === undefined) return null
    const width = terminal.columns - indent.length
    const lines = render({ id: toolCallId, tool: name, title, args, status, content, details, durationMs, width })
    return lines.then((rendered) => rendered && textOf(rendered, indent))
  }
}

/** The text alone: line-by-line output has no styles. */
function textOf(lines: NonNullable<Awaited<ReturnType<ShowCall>>>, indent: string): string {
  const texts = lines.map((line) => line.map(({ text }) => text).join(""))
  return texts.map((text, at) => (at === 0 ? indent : `${indent}    `) + text).join("\n")
}
