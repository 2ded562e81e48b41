import type { TaskFacts } from "./task-facts.ts"
import type { ToolPlace } from "../tools/tools.ts"

/** Tools are made before the session that a task belongs to: what runs tasks is told of it later. */
export interface Tasks {
  readonly runTask: ToolPlace["runTask"]
  begin(facts: TaskFacts): void
}

export function tasksOf(): Tasks {
  let facts: TaskFacts | null = null
  return {
    begin: (given) => void (facts = given),
    async runTask(args, callId, context) {
      if (facts === null) throw new Error("Internal error in Gong: a task before its session")
      const { runTask } = await import("./run-task.ts")
      return runTask(facts, args, callId, context)
    },
  }
}
