import { englishOf, type Phrase, phrase } from "../text/phrase.ts"
import { isRecord } from "../json/schema.ts"

export const todoStatuses = ["pending", "in_progress", "completed"] as const
export type TodoStatus = (typeof todoStatuses)[number]

/** One item of the model's to-do list. */
export interface TodoItem {
  readonly content: string
  readonly status: TodoStatus
}

/** The to-do list in the details of a tool result; null for none. */
export function todosIn(details: unknown): readonly TodoItem[] | null {
  const items: unknown = isRecord(details) ? details["todos"] : null
  return Array.isArray(items) && items.every(isTodo) ? items : null
}

function isTodo(value: unknown): value is TodoItem {
  return isRecord(value) && typeof value["content"] === "string" && todoStatuses.some((one) => one === value["status"])
}

const marks: Readonly<Record<TodoStatus, string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]" }

/** A heading with the progress, then one line per item. */
export function todoLines(todos: readonly TodoItem[]): readonly string[] {
  return [englishOf(todoHead(todos)), ...todos.map(({ content, status }) => `${marks[status]} ${content}`)]
}

/** The progress, as a heading. */
export function todoHead(todos: readonly TodoItem[]): Phrase {
  if (todos.length === 0) return phrase`nothing to do`
  const done = todos.filter(({ status }) => status === "completed").length
  return phrase`${done} of ${todos.length} done`
}
