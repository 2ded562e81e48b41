import {
  addUsage,
  type Entry,
  failureOf,
  type Hook,
  type ModelCallBody,
  noUsage,
  type Provider,
  type RunEnd,
  type Tool,
  type ToolContext,
  type ToolResult,
  totalTokens,
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

/** Tasks in one run. */
const maxTasks = 20

/** Runs one task to its end, or to that of its call, and gives what it came to. */
export async function runTask(
  facts: TaskDeps,
  args: TaskArgs,
  callId: string,
  context: ToolContext,
): Promise<ToolResult<TaskDetails | null>> {
  const spent = spentInRun(facts.parts)
  if (spent.tasks > maxTasks)
    return failed(`Not begun: this run has had ${maxTasks} tasks already. Do the rest yourself, or sum up.`)
  const tools = toolsFor(facts, args)
  if (typeof tools === "string") return failed(tools)
  const asked = await attempt(() => askedOf(facts, spent))
  if (!asked.ok) return failed(`Not begun: ${asked.error.lines.join(" ").replace(/^gong: /, "")}`)
  const tape = await taskTape(facts.place, facts.opened, callId)
  try {
    const inside = tools.map((tool) => withinCall(tool, context))
    const parts = partsOf(facts, tape, inside, asked.value)
    const { end, summary } = await run(parts, args.prompt, context)
    return await taskResult({ end, summary, tape, model: parts.provider.model }, context)
  } finally {
    tape.close()
  }
}

interface Asked {
  readonly provider: Provider
  readonly limits: Limits
}

/** The model of the setting, else that of the session; and what is left to it. Throws a usage error. */
async function askedOf(facts: TaskDeps, spent: Spent): Promise<Asked> {
  const { values } = facts.settings
  const named = values["task.model"]
  let provider = facts.provider
  if (provider === null && named !== null)
    provider = await facts.openModel(must(await namedModel(facts.models(), named)))
  if (provider === null) {
    const { model } = facts.session.selection.provider
    const credential = await facts.models().credentials.get(model.provider, model.baseUrl)
    provider = await facts.openModel({ model, credential })
  }
  const whole = must(facts.limitsFor(provider.model))
  return { provider, limits: limitsOf(facts, whole, spent) }
}

/** The smaller of its own limits and what the run that wants it may still use. */
function limitsOf({ settings: { values } }: TaskDeps, whole: Limits, spent: Spent): Limits {
  const least = (own: number | null, limit: number | undefined, used: number): number | null => {
    const left = limit === undefined ? null : Math.max(0, limit - used)
    return own === null || left === null ? (own ?? left) : Math.min(own, left)
  }
  const maxTurns = least(values["task.maxTurns"], whole.maxTurns, spent.turns)
  const maxCost = least(values["task.maxCost"], whole.maxCost, spent.cost)
  const maxTokens = least(values["task.maxTokens"], whole.maxTokens, spent.tokens)
  const maxTime = least(values["task.maxTime"], whole.maxTime, 0)
  return {
    ...(maxTurns === null ? {} : { maxTurns }),
    ...(maxCost === null ? {} : { maxCost }),
    ...(maxTokens === null ? {} : { maxTokens }),
    ...(maxTime === null ? {} : { maxTime }),
  }
}

interface Spent {
  readonly turns: number
  /** As far as it is known. */
  readonly cost: number
  readonly tokens: number
  /** That have begun, this one included. */
  readonly tasks: number
}

/** What the run that works has used so far: all that stands on the tape since its prompt. */
function spentInRun({ tape: { branch }, declared }: Pick<SessionDeps, "tape" | "declared">): Spent {
  let [turns, tasks, usage, cost] = [0, 0, noUsage, 0]
  for (let at = branch.length - 1; at >= 0; at--) {
    const { type } = branch.head(at)
    if (!["input", "message", "model_call", "tool_start"].includes(type)) continue
    const entry = branch.entry(at)
    if (entry.type === "input" && entry.kind === "prompt") break
    if (entry.type === "tool_start" && declared(entry.name)?.startsSession === true) tasks += 1
    const paid = paidIn(entry)
    if (paid === null) continue
    if (entry.type === "message") turns += 1
    usage = addUsage(usage, paid.usage)
    cost += paid.cost ?? 0
  }
  return { turns, tasks, cost, tokens: totalTokens(usage) }
}

/** What a request cost, without what ties its entry to its own tape. */
function paidIn(entry: Entry): Omit<ModelCallBody, "type"> | null {
  if (entry.type === "model_call") return paidFor(entry.model, entry)
  if (entry.type !== "message" || entry.message.role !== "assistant") return null
  const { provider, id } = entry.message.model
  return paidFor(`${provider}/${id}`, entry.message)
}

function paidFor(
  model: string | undefined,
  { usage, cost, costCny }: Pick<ModelCallBody, "usage" | "cost" | "costCny">,
) {
  const yuan = costCny === undefined ? {} : { costCny }
  return { purpose: "task", ...(model !== undefined && { model }), usage, cost, ...yuan }
}

/** No task in a task, and no question: its session is not the one that a person looks at. */
function toolsFor({ parts }: TaskDeps, { tools }: TaskArgs): readonly Tool[] | string {
  const may = parts.tools().filter(({ startsSession, needsUser }) => startsSession !== true && needsUser !== true)
  const unknown = tools?.filter((name) => !may.some((tool) => tool.name === name)) ?? []
  if (unknown.length === 0) return tools ? may.filter(({ name }) => tools.includes(name)) : may
  return `Not begun: a task cannot be given ${unknown.join(", ")}. It can have: ${may.map(({ name }) => name).join(", ")}.`
}

/** What a task changes is a change of the call that wanted it: undone with it, and kept where its session keeps such. */
function withinCall(tool: Tool, { record, artifacts }: ToolContext): Tool {
  return {
    ...tool,
    execute: (callId, args, own) =>
      tool.execute(callId, args, { ...own, ...(record && { record }), ...(artifacts && { artifacts }) }),
  }
}

const role = `You do one task for another session of Gong. Nobody reads along and nobody answers questions; what you do not know you find out, or say that you could not. Your last message is all that is seen of your work: end with a report that answers the task, with paths and lines where they matter.`

function partsOf(facts: TaskDeps, tape: Tape, tools: readonly Tool[], { provider, limits }: Asked): SessionDeps {
  const { parts } = facts
  return {
    ...parts,
    tape,
    provider,
    limits,
    fallbacks: [],
    tools: () => tools,
    bash: null,
    prompt: { build: (given, builtAt) => `${parts.prompt.build(given, builtAt)}\n\n${role}` },
    expander: noTemplates,
    lastPrompt: null,
    hooks: [...facts.contextHooks(tape), ...parts.hooks.flatMap(onlyForCalls)],
    telemetry: null,
    // What commands change is looked for by the session that wanted the task.
    changeDetector: null,
  }
}

/** Prompts and ends of runs are those of the session that the user knows; calls are judged wherever they are made. */
function onlyForCalls({ name, timeMs, beforeToolCall, onToolResult }: Hook): readonly Hook[] {
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

interface Ran {
  readonly end: RunEnd
  readonly summary: RunSummary
}

async function run(parts: SessionDeps, prompt: string, { signal, show, spent }: ToolContext): Promise<Ran> {
  const session = createSession(parts)
  const collected = runSummary()
  const { provider, id } = parts.provider.model
  const model = `${provider}/${id}`
  const leave = session.subscribe((step) => {
    for (const entry of "entries" in step ? step.entries : []) {
      collected.add(entry)
      const paid = paidIn(entry)
      // Where the call is left already there is nobody to pay; its own tape has it.
      if (paid !== null) spent?.({ model, ...paid }).catch(() => undefined)
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
    leave()
  }
}
