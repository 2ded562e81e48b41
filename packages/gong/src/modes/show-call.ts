import type { ShowCall, ShownCall, ToolExecutionEndEvent } from "@gong/spec"

/** The text of an ended call, every line of it with `indent` before it; null at once where nothing else than Gong shows this tool. */
export type ShowEnd = (
  event: ToolExecutionEndEvent,
  call: Pick<ShownCall, "title" | "args">,
  indent: string,
) => Promise<string | null> | null

/** What extensions of the open session say about how calls are shown. */
export function showing(
  surface: { readonly columns: number },
  renderers: () => ReadonlyMap<string, ShowCall>,
): ShowEnd {
  return ({ toolCallId, name, status, content, details, durationMs }, { title, args }, indent) => {
    const show = renderers().get(name)
    if (show === undefined) return null
    const width = surface.columns - indent.length
    const made = show({ id: toolCallId, tool: name, title, args, status, content, details, durationMs, width })
    return made.then((lines) => lines && textOf(lines, indent))
  }
}

/** A surface without styles: the text alone. */
function textOf(lines: NonNullable<Awaited<ReturnType<ShowCall>>>, indent: string): string {
  const texts = lines.map((line) => line.map(({ text }) => text).join(""))
  return texts.map((text, at) => (at === 0 ? indent : `${indent}    `) + text).join("\n")
}
