import type { ToolContext, ToolDefinition, ToolResult } from "@gong/spec"

/** A tool for a program without a session or a screen. */
export interface AgentTool extends Pick<ToolDefinition, "name" | "label" | "description" | "parameters"> {
  /** May throw. `onUpdate` gets new output while the tool runs. */
  execute(
    toolCallId: string,
    params: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
    onUpdate?: (delta: string) => void,
  ): Promise<Pick<ToolResult, "content" | "details" | "isError">>
}

/** The same tool without its rendering. */
export function wrapToolDefinition(definition: ToolDefinition): AgentTool {
  const { name, label, description, parameters } = definition
  return {
    name,
    label,
    description,
    parameters,
    execute(toolCallId, params, signal = new AbortController().signal, onUpdate = () => {}) {
      const context: ToolContext = { signal, onProgress: onUpdate }
      return definition.execute(toolCallId, params as never, context)
    },
  }
}
