import { addCost, addUsage, addYuan, type Entry, noUsage, type Usage } from "@gong/spec"
import { type Fold, mayHaveRole, indexesWhere } from "./fold.ts"

export interface Spent {
  readonly usage: Usage
  /** US dollars; null when one price is unknown. */
  readonly cost: number | null
  /** US dollars of the requests with a known price. */
  readonly knownCost: number
  /** The part with prices in yuan; absent without one. */
  readonly costCny?: number
  /** The number of requests that were answered or failed with a cost. */
  readonly calls: number
}

export interface Cost {
  readonly total: Spent
  /** By `provider/id`. A request without a message counts for the model in use. */
  readonly models: ReadonlyMap<string, Spent>
}

interface State {
  total: Spent
  readonly models: Map<string, Spent>
  /** The model in use. */
  model: string
}

const nothing: Spent = { usage: noUsage, cost: 0, knownCost: 0, calls: 0 }

/** The cost of the whole tape, including branches that were left. */
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
