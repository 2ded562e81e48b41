import { type TodoItem, todosIn } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

/** The last to-do list of the model on this branch; compactions do not change it. */
export const todos: Fold<readonly TodoItem[]> = {
  initial: () => [],
  step(list, entry) {
    if (entry.type !== "message" || entry.message.role !== "tool") return list
    const { status, details } = entry.message
    return status === "ok" ? (todosIn(details) ?? list) : list
  },
  needs: (branch) => indexesWhere(branch, (head) => mayHaveRole(head, "tool")),
}
