import {
  failureOf,
  type Hook,
  type Provider,
  type RunEnd,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "@gong/spec"
import type { Limits } from "@gong/loop"
import type { Tape } from "@gong/tape"
import { failed, type TaskArgs, type TaskDetails } from "@gong/tools"
import { attempt, must } from "@gong/config/usage"
import { noTemplates } from "@gong/session/input/template-expander"
import { type RunSummary, runSummary } from "@gong/session/result"
import { createSession, type SessionDeps } from "@gong/session/session"
import { namedModel } from "../models/model.ts"
import { taskTape } from "../tapes/tape.ts"
import type { TaskDeps } from "./task-deps.ts"
import { taskResult } from "./task-result.ts"
import { requestCost, type RunUsage, taskLimits, usageOfRun } from "./task-usage.ts"

/** Tasks in one run. */
const maxTasks = 20

/** Runs one task to its end, or to the end of its call. */
export async function runTask(
  deps: TaskDeps,
  args: TaskArgs,
  callId: string,
  context: ToolContext,
): Promise<ToolResult<TaskDetails | null>> {
  const used = usageOfRun(deps.sessionDeps)
  if (used.tasks > maxTasks)
    return failed(`Not begun: this run has had ${maxTasks} tasks already. Do the rest yourself, or sum up.`)
  const tools = toolsFor(deps, args)
  if (typeof tools === "string") return failed(tools)
  const opened = await attempt(() => openTaskModel(deps, used))
  if (!opened.ok) return failed(`Not begun: ${opened.error.lines.join(" ").replace(/^gong: /, "")}`)
  const tape = await taskTape(deps.storage, deps.opened, callId)
  try {
    const sessionDeps = taskSessionDeps(
      deps,
      tape,
      tools.map((tool) => withCallContext(tool, context)),
      opened.value,
    )
    const { end, summary } = await run(sessionDeps, args.prompt, context)
    return await taskResult({ end, summary, tape, model: sessionDeps.provider.model }, context)
  } finally {
    tape.close()
  }
}

interface TaskModel {
  readonly provider: Provider
  readonly limits: Limits
}

/** The model of the setting, else of the session, with its limits. Throws a usage error. */
async function openTaskModel(deps: TaskDeps, used: RunUsage): Promise<TaskModel> {
  const name = deps.settings.values["task.model"]
  let { provider } = deps
  if (provider === null && name !== null) provider = await deps.openModel(must(await namedModel(deps.models(), name)))
  if (provider === null) {
    const { model } = deps.session.selection.provider
    const credential = await deps.models().credentials.get(model.provider, model.baseUrl)
    provider = await deps.openModel({ model, credential })
  }
  return { provider, limits: taskLimits(deps.settings, must(deps.limitsFor(provider.model)), used) }
}

/** A task has neither tasks nor questions, since no user follows its session. */
function toolsFor({ sessionDeps }: TaskDeps, { tools }: TaskArgs): readonly Tool[] | string {
  const allowed = sessionDeps
    .tools()
    .filter(({ startsSession, needsUser }) => startsSession !== true && needsUser !== true)
  const unknown = tools?.filter((name) => !allowed.some((tool) => tool.name === name)) ?? []
  if (unknown.length === 0) return tools ? allowed.filter(({ name }) => tools.includes(name)) : allowed
  return `Not begun: a task cannot be given ${unknown.join(", ")}. It can have: ${allowed.map(({ name }) => name).join(", ")}.`
}

/** Records the changes of a task as changes of its call, so that they are undone with it. */
function withCallContext(tool: Tool, { record, artifacts }: ToolContext): Tool {
  return {
    ...tool,
    execute: (callId, args, own) =>
      tool.execute(callId, args, { ...own, ...(record && { record }), ...(artifacts && { artifacts }) }),
  }
}

const role = `You do one task for another session of Gong. Nobody reads along and nobody answers questions; what you do not know you find out, or say that you could not. Your last message is all that is seen of your work: end with a report that answers the task, with paths and lines where they matter.`

function taskSessionDeps(
  deps: TaskDeps,
  tape: Tape,
  tools: readonly Tool[],
  { provider, limits }: TaskModel,
): SessionDeps {
  const { sessionDeps } = deps
  const { prompt, hooks } = sessionDeps
  return {
    ...sessionDeps,
    tape,
    provider,
    limits,
    fallbacks: [],
    tools: () => tools,
    bash: null,
    prompt: { build: (given, builtAt) => `${prompt.build(given, builtAt)}\n\n${role}` },
    expander: noTemplates,
    lastPrompt: null,
    hooks: [...deps.contextHooks(tape), ...hooks.flatMap(callHooks)],
    telemetry: null,
    // The parent session detects changes of commands.
    changeDetector: null,
  }
}

/** Only the hooks for calls; those for prompts and ends of runs belong to the parent session. */
function callHooks({ name, timeMs, beforeToolCall, onToolResult }: Hook): readonly Hook[] {
  if (name === "context files" || (!beforeToolCall && !onToolResult)) return []
  return [
    {
      name,
      ...(timeMs === undefined ? {} : { timeMs }),
      ...(beforeToolCall && { beforeToolCall }),
      ...(onToolResult && { onToolResult }),
    },
  ]
}

interface TaskRun {
  readonly end: RunEnd
  readonly summary: RunSummary
}

async function run(deps: SessionDeps, prompt: string, { signal, show, spent }: ToolContext): Promise<TaskRun> {
  const session = createSession(deps)
  const collected = runSummary()
  const { provider, id } = deps.provider.model
  const model = `${provider}/${id}`
  const unsubscribe = session.subscribe((step) => {
    for (const entry of "entries" in step ? step.entries : []) {
      collected.add(entry)
      const request = requestCost(entry)
      // After the end of the call the cost is only on the tape of the task.
      if (request !== null) spent?.({ model, ...request }).catch(() => undefined)
    }
    show?.(step)
  })
  const stop = (): void => session.abort()
  signal.addEventListener("abort", stop, { once: true })
  try {
    const running = session.prompt(prompt, { source: "api" })
    if (signal.aborted) stop()
    return { end: await running, summary: collected.summary() }
  } catch (error) {
    return { end: { status: "failed", turns: 0, failure: failureOf(error) }, summary: collected.summary() }
  } finally {
    signal.removeEventListener("abort", stop)
    unsubscribe()
  }
}
