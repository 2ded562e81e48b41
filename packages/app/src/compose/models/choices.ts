import type { Model, Price, Provider, Tool } from "@gong/spec"
import type { Limits } from "@gong/loop"
import { parseModel } from "@gong/config/model"
import { attempt, must, ok, type Outcome } from "@gong/config/usage"
import type { RetryPolicy } from "@gong/session/runs/retry"
import type { Session } from "@gong/session/session"
import type { RunControls } from "./run-controls.ts"
import { isUsable, type ModelDeps, namedModel, type Openable } from "./model.ts"

/** What can be selected between runs. */
export interface Choices {
  models(): ModelDeps
  /** The provider of a key from the command line, also in other sessions of this process. */
  readonly keyFor: string | undefined
  openModel(chosen: Openable): Promise<Provider>
  /** Fails if a limit cannot be enforced with this model. */
  limitsFor(model: Model): Outcome<Limits>
  selectTools(list: string): Outcome<readonly Tool[]>
  /** The retries with which the session was opened. */
  readonly retry: RetryPolicy
  readonly controls: RunControls
}

/** A row in a list of models. */
export interface ListedModel {
  /** `provider/id`. */
  readonly model: string
  readonly contextWindow: number
  readonly maxOutput: number
  readonly reasoning: boolean
  readonly images: boolean
  /** Absent: unknown. */
  readonly price?: Price
}

/** Selects a model from the next run on. On failure nothing has changed. */
export function chooseModelFor(session: Session, choices: Choices, name: string): Promise<Outcome<null>> {
  return attempt(async () => {
    const deps = choices.models()
    // With --base-url every model is listed as custom/ID and requested as ID.
    const id = deps.settings.values.baseUrl === null ? name : name.replace(/^custom\//, "")
    const chosen = must(await namedModel(deps, id))
    must(choices.limitsFor(chosen.model))
    const { thinking } = must(parseModel(name))
    session.selectModel({ provider: await choices.openModel(chosen), ...(thinking && { thinking }) })
    return null
  })
}

/** The models of all providers with a key, or without need of one. Includes the current model. */
export async function availableModels(session: Session, choices: Choices): Promise<readonly ListedModel[]> {
  const { model } = session.selection.provider
  const current = `${model.provider}/${model.id}`
  const deps = choices.models()
  const found = new Map<string, ListedModel>()
  // With --base-url no other provider is used.
  if (deps.settings.values.baseUrl === null) {
    for (const row of deps.registry.providers) {
      if (!isUsable(deps, row)) continue
      for (const [id, facts] of Object.entries(await deps.registry.modelsOf(row.id)))
        found.set(`${row.id}/${id}`, listed(`${row.id}/${id}`, facts))
    }
  }
  if (!found.has(current)) found.set(current, listed(current, model))
  return [...found.values()]
}

function listed(name: string, facts: Omit<ListedModel, "model">): ListedModel {
  const { contextWindow, maxOutput, reasoning, images, price } = facts
  return { model: name, contextWindow, maxOutput, reasoning, images, ...(price && { price }) }
}

/** Selects the tools from the next run on, in the form of `--tools`. */
export function chooseTools(choices: Choices, names: readonly string[]): Outcome<readonly string[]> {
  const selected = choices.selectTools(names.join(","))
  if (!selected.ok) return selected
  choices.controls.setTools(selected.value)
  return ok(selected.value.map(({ name }) => name))
}
