import type { ToolContext, ToolDefinition, ToolResult } from "@gong/spec"

/** A tool for a program that has neither a session nor a screen. */
export interface AgentTool extends Pick<ToolDefinition, "name" | "label" | "description" | "parameters"> {
  /** May throw. `onUpdate` gets new output while the tool runs. */
  execute(
    toolCallId: string,
    params: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
    onUpdate?: (delta: string) => void,
  ): Promise<Pick<ToolResult, "content" | "details" | "isError">>
}

/** The same work without the parts that show it. */
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
