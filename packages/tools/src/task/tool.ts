import type { Static, ToolContext, ToolResult } from "@gong/spec"
import { titleOf, type OwnDeclaration, type ToolOf } from "../tool.ts"

export const taskDeclaration = {
  name: "task",
  effect: "none",
  startsSession: true,
  aliases: ["Task"],
} as const satisfies OwnDeclaration

const parameters = {
  type: "object",
  properties: {
    prompt: {
      type: "string",
      minLength: 1,
      maxLength: 50_000,
      description: "The whole task: it begins without anything of this conversation",
    },
    title: { type: "string", maxLength: 200, description: "The task in a few words, for the user" },
    tools: {
      type: "array",
      items: { type: "string" },
      description: "Names of the tools that it gets, of yours; default all but task and ask",
    },
  },
  required: ["prompt"],
} as const

export type TaskArgs = Static<typeof parameters>

export type TaskDetails = {
  /** Id of the session that did the task. */
  readonly session: string
  /** Folder of that session; null if it is not stored. */
  readonly tape: string | null
  readonly model: string
  readonly status: string
  readonly turns: number
  readonly tool_calls: number
  /** US dollars; null if unknown. */
  readonly cost: number | null
  readonly tokens: number
  readonly artifact?: string
}
export type TaskTool = ToolOf<TaskArgs, TaskDetails>

export interface TaskOptions {
  run(args: TaskArgs, callId: string, context: ToolContext): Promise<ToolResult<TaskDetails | null>>
}

/**
 * Runs a task in a session of its own, with some of the tools and the same rules. The result is the last message of
 * that session.
 */
export function createTaskTool({ run }: TaskOptions): TaskTool {
  return {
    ...taskDeclaration,
    label: "Task",
    description:
      "Have a self-contained task done in a session of its own, with its own context: a wide search, say, of which you need only the outcome. Its last message is the result. It has your tools and permissions, and no more.",
    parameters,
    promptSnippet: "Have a self-contained task done apart",
    promptGuidelines: [
      "Use task for work whose steps you need not see; say in its prompt all that it has to know and what it has to report",
    ],
    readOnly: false,
    interruptible: true,
    keepsTime: true,
    mapArguments: ({ description, ...args }) => ({
      ...args,
      ...(args["title"] === undefined && description !== undefined && { title: description }),
    }),
    title: ({ title, prompt }) => titleOf(title) || titleOf(prompt),
    execute: (callId, args, context) => run(args, callId, context),
  }
}
