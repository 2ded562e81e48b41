import { englishOf, type Phrase, phrase, type Static, type TodoItem, todoLines, todoStatuses } from "@gong/spec"
import { failed, toolResult } from "../result.ts"
import type { OwnDeclaration, ToolOf } from "../tool.ts"
import { render, summary } from "./render.ts"

/** Limits of items and characters: the whole list is carried from one summary to the next. */
const MAX_TODOS = 50
const MAX_TEXT = 4000

export const todoDeclaration = {
  name: "todo",
  effect: "none",
  aliases: ["TodoWrite"],
  ownTitle,
  summary,
  render,
} as const satisfies OwnDeclaration

const parameters = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      maxItems: MAX_TODOS,
      description: "All of the list, in order; it takes the place of the one before",
      items: {
        type: "object",
        properties: {
          content: { type: "string", minLength: 1, description: "What is to be done, in one line" },
          status: { enum: todoStatuses },
        },
        required: ["content", "status"],
      },
    },
  },
  required: ["todos"],
} as const

export type TodoDetails = { readonly todos: readonly TodoItem[] }
export type TodoTool = ToolOf<Static<typeof parameters>, TodoDetails>

function ownTitle({ todos }: Readonly<Record<string, unknown>>): Phrase | null {
  if (!Array.isArray(todos)) return null
  return todos.length === 1 ? phrase`${1} thing` : phrase`${todos.length} things`
}

/** A to-do list of the model, visible to the user. It is stored in the results; the tool has no state. */
export function createTodoTool(): TodoTool {
  return {
    ...todoDeclaration,
    label: "To do",
    description:
      "Keep a list of what is to be done, for work of several steps. Each call gives the whole list anew; the user sees it.",
    parameters,
    promptSnippet: "Keep a list of what is to be done",
    promptGuidelines: [
      "For work of three steps and more keep the list with todo: one thing in_progress at a time, completed as soon as it is done",
    ],
    readOnly: true,
    interruptible: false,
    mapArguments: mapped,
    title: (args) => englishOf(ownTitle(args) ?? phrase``),
    async execute(_callId, args) {
      const todos = args.todos.map(({ content, status }) => ({ content: oneLine(content), status }))
      const text = todoLines(todos).join("\n")
      if (text.length <= MAX_TEXT) return toolResult(text, { todos })
      return failed(
        `The list was not changed: it has ${text.length} characters, at most ${MAX_TEXT} are kept. Say each thing in fewer words, and leave out what was completed long ago.`,
      )
    },
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim()
}

/** Accepts other argument names. An item given as a plain string is pending. */
function mapped(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const list = args["todos"] ?? args["items"] ?? args["tasks"]
  return Array.isArray(list) ? { todos: list.map(itemOf) } : { ...args }
}

function itemOf(item: unknown): unknown {
  if (typeof item === "string") return { content: item, status: "pending" }
  if (typeof item !== "object" || item === null) return item
  const { content, text, title, status = "pending" } = item as Readonly<Record<string, unknown>>
  const known = status === "done" ? "completed" : status === "todo" ? "pending" : status
  return { content: content ?? text ?? title, status: known }
}
