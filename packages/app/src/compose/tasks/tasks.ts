import type { TaskDeps } from "./task-deps.ts"
import type { ToolDeps } from "../tools/tools.ts"

/** Tools are made before the session that a task belongs to: what runs tasks is told of it later. */
export interface Tasks {
  readonly runTask: ToolDeps["runTask"]
  begin(facts: TaskDeps): void
}

export function tasksOf(): Tasks {
  let facts: TaskDeps | null = null
  return {
    begin: (given) => void (facts = given),
    async runTask(args, callId, context) {
      if (facts === null) throw new Error("Internal error in Gong: a task before its session")
      const { runTask } = await import("./run-task.ts")
      return runTask(facts, args, callId, context)
    },
  }
}
