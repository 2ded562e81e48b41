import { addUsage, type Entry, type ModelCallBody, noUsage, totalTokens } from "@gong/spec"
import type { Limits } from "@gong/loop"
import type { Settings } from "@gong/config/settings/resolve"
import type { SessionDeps } from "@gong/session/session"

/** Usage of the current run. */
export interface RunUsage {
  readonly turns: number
  /** As far as prices are known. */
  readonly cost: number
  readonly tokens: number
  /** Tasks that were started, including this one. */
  readonly tasks: number
}

/** The usage of the current run, from the entries since its prompt. */
export function usageOfRun({ tape: { branch }, declared }: Pick<SessionDeps, "tape" | "declared">): RunUsage {
  let [turns, tasks, usage, cost] = [0, 0, noUsage, 0]
  for (let at = branch.length - 1; at >= 0; at--) {
    const { type } = branch.head(at)
    if (!["input", "message", "model_call", "tool_start"].includes(type)) continue
    const entry = branch.entry(at)
    if (entry.type === "input" && entry.kind === "prompt") break
    if (entry.type === "tool_start" && declared(entry.name)?.startsSession === true) tasks += 1
    const request = requestCost(entry)
    if (request === null) continue
    if (entry.type === "message") turns += 1
    usage = addUsage(usage, request.usage)
    cost += request.cost ?? 0
  }
  return { turns, tasks, cost, tokens: totalTokens(usage) }
}

/** The cost of a request, as an entry for the tape of another session; null for other entries. */
export function requestCost(entry: Entry): Omit<ModelCallBody, "type"> | null {
  if (entry.type === "model_call") return taskCost(entry.model, entry)
  if (entry.type !== "message" || entry.message.role !== "assistant") return null
  const { provider, id } = entry.message.model
  return taskCost(`${provider}/${id}`, entry.message)
}

function taskCost(
  model: string | undefined,
  { usage, cost, costCny }: Pick<ModelCallBody, "usage" | "cost" | "costCny">,
) {
  const yuan = costCny === undefined ? {} : { costCny }
  return { purpose: "task", ...(model !== undefined && { model }), usage, cost, ...yuan }
}

/** The limits of a task: the smaller of its own limits and the remainder of the run. */
export function taskLimits({ values }: Settings, run: Limits, used: RunUsage): Limits {
  const least = (own: number | null, limit: number | undefined, spent: number): number | null => {
    const left = limit === undefined ? null : Math.max(0, limit - spent)
    return own === null || left === null ? (own ?? left) : Math.min(own, left)
  }
  const maxTurns = least(values["task.maxTurns"], run.maxTurns, used.turns)
  const maxCost = least(values["task.maxCost"], run.maxCost, used.cost)
  const maxTokens = least(values["task.maxTokens"], run.maxTokens, used.tokens)
  const maxTime = least(values["task.maxTime"], run.maxTime, 0)
  return {
    ...(maxTurns === null ? {} : { maxTurns }),
    ...(maxCost === null ? {} : { maxCost }),
    ...(maxTokens === null ? {} : { maxTokens }),
    ...(maxTime === null ? {} : { maxTime }),
  }
}
