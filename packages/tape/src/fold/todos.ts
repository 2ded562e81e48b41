import { type TodoItem, todosIn } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

/** What the model has set out to do, as it last said on this branch; compactions leave it. */
export const todos: Fold<readonly TodoItem[]> = {
  initial: () => [],
  step(list, entry) {
    if (entry.type !== "message" || entry.message.role !== "tool") return list
    const { status, details } = entry.message
    return status === "ok" ? (todosIn(details) ?? list) : list
  },
  needs: (branch) => indexesWhere(branch, (head) => mayHaveRole(head, "tool")),
}
