import type { TaskDeps } from "./task-deps.ts"
import type { ToolDeps } from "../tools/tools.ts"

/** Runs tasks. Created before the session, like its tools, and attached to it later. */
export interface Tasks {
  readonly runTask: ToolDeps["runTask"]
  attach(deps: TaskDeps): void
}

export function createTasks(): Tasks {
  let attached: TaskDeps | null = null
  return {
    attach: (deps) => void (attached = deps),
    async runTask(args, callId, context) {
      if (attached === null) throw new Error("Internal error in Gong: a task before its session")
      const { runTask } = await import("./run-task.ts")
      return runTask(attached, args, callId, context)
    },
  }
}
