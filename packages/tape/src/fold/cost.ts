import { addCost, addUsage, type Entry, noUsage, type Usage } from "@gong/spec"
import { type Fold, mayBe, placesWhere } from "./fold.ts"

export interface Spent {
  readonly usage: Usage
  /** US dollars; null as soon as one price is not known. */
  readonly cost: number | null
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

const nothing: Spent = { usage: noUsage, cost: 0, calls: 0 }

/** What the whole tape has cost: a branch that was left was paid for as well. */
export const cost: Fold<Cost> = {
  initial: (): State => ({ total: nothing, models: new Map(), model: "unknown" }),
  step: (state, entry) => step(state as State, entry),
  needs: (tape) =>
    placesWhere(tape, (head) => head.type === "model_call" || head.type === "model_change" || mayBe(head, "assistant")),
  scope: "tape",
}

function step(state: State, entry: Entry): State {
  if (entry.type === "model_change") state.model = `${entry.provider}/${entry.modelId}`
  if (entry.type === "model_call") spend(state, entry.model ?? state.model, entry.usage, entry.cost)
  if (entry.type === "message" && entry.message.role === "assistant") {
    const { model, usage, cost } = entry.message
    state.model = `${model.provider}/${model.id}`
    spend(state, state.model, usage, cost)
  }
  return state
}

function spend(state: State, model: string, usage: Usage, cost: number | null): void {
  state.total = sum(state.total, usage, cost)
  state.models.set(model, sum(state.models.get(model) ?? nothing, usage, cost))
}

function sum(spent: Spent, usage: Usage, cost: number | null): Spent {
  return { usage: addUsage(spent.usage, usage), cost: addCost(spent.cost, cost), calls: spent.calls + 1 }
}
