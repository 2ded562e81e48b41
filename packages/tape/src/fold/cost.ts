import { addCost, addUsage, addYuan, type Entry, noUsage, type Usage } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

export interface Spent {
  readonly usage: Usage
  /** US dollars; null as soon as one price is not known. */
  readonly cost: number | null
  /** US dollars of those whose cost is known. */
  readonly knownCost: number
  /** What lists in yuan charged of it; absent where none did. */
  readonly costCny?: number
  /** Requests that were answered or failed after they cost something. */
  readonly calls: number
}

export interface Cost {
  readonly total: Spent
  /** By `provider/id`. A call without a message counts for the model in use. */
  readonly models: ReadonlyMap<string, Spent>
}

interface State {
  total: Spent
  readonly models: Map<string, Spent>
  /** The model in use. */
  model: string
}

const nothing: Spent = { usage: noUsage, cost: 0, knownCost: 0, calls: 0 }

/** What the whole tape has cost: a branch that was left was paid for as well. */
export const cost: Fold<Cost> = {
  initial: (): State => ({ total: nothing, models: new Map(), model: "unknown" }),
  step: (state, entry) => step(state as State, entry),
  needs: (tape) =>
    indexesWhere(
      tape,
      (head) => head.type === "model_call" || head.type === "model_change" || mayHaveRole(head, "assistant"),
    ),
  scope: "tape",
}

function step(state: State, entry: Entry): State {
  if (entry.type === "model_change") state.model = `${entry.provider}/${entry.modelId}`
  if (entry.type === "model_call") addCall(state, entry.model ?? state.model, entry)
  if (entry.type === "message" && entry.message.role === "assistant") {
    const { model } = entry.message
    state.model = `${model.provider}/${model.id}`
    addCall(state, state.model, entry.message)
  }
  return state
}

function addCall(state: State, model: string, call: Call): void {
  state.total = sum(state.total, call)
  state.models.set(model, sum(state.models.get(model) ?? nothing, call))
}

type Call = Omit<Spent, "calls" | "knownCost">

function sum(spent: Spent, { usage, cost, costCny }: Call): Spent {
  const yuan = addYuan(spent.costCny, costCny)
  return {
    usage: addUsage(spent.usage, usage),
    cost: addCost(spent.cost, cost),
    knownCost: spent.knownCost + (cost ?? 0),
    ...(yuan === undefined ? {} : { costCny: yuan }),
    calls: spent.calls + 1,
  }
}
