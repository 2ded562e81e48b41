import type { Model, Provider, Tool } from "@gong/spec"
import type { Limits } from "@gong/loop"
import { parseModel } from "@gong/config/model"
import { attempt, must, ok, type Outcome } from "@gong/config/usage"
import type { RetryPolicy } from "@gong/session/runs/retry"
import type { Session } from "@gong/session/session"
import type { RunControls } from "./run-controls.ts"
import { isOpen, type ModelDeps, namedModel, type Openable } from "./model.ts"

/** What may be chosen anew between runs, and by what rules. */
export interface Choices {
  models(): ModelDeps
  /** The provider that a key of the command line was given for, also in other sessions of this process. */
  readonly keyFor: string | undefined
  openModel(chosen: Openable): Promise<Provider>
  /** Whether runs can be held to their limits with this model. */
  limitsFor(model: Model): Outcome<Limits>
  selectTools(list: string): Outcome<readonly Tool[]>
  /** How often a request is made again, as the session was opened. */
  readonly retry: RetryPolicy
  readonly controls: RunControls
}

/** A model as a list shows it. */
export interface ListedModel {
  /** `provider/id`. */
  readonly model: string
  readonly contextWindow: number
  readonly maxOutput: number
  readonly reasoning: boolean
  readonly images: boolean
}

/** The session asks this model from the next run on; what is wrong with it is said, and nothing has changed then. */
export function chooseModelFor(session: Session, choices: Choices, name: string): Promise<Outcome<null>> {
  return attempt(async () => {
    const place = choices.models()
    // Where an address was named its models are all called so, and none is asked for by that name.
    const id = place.settings.values.baseUrl === null ? name : name.replace(/^custom\//, "")
    const chosen = must(await namedModel(place, id))
    must(choices.limitsFor(chosen.model))
    const { thinking } = must(parseModel(name))
    session.selectModel({ provider: await choices.openModel(chosen), ...(thinking && { thinking }) })
    return null
  })
}

/** Every model that could be asked now: those of the providers that have a key, or need none. The one in use is among them. */
export async function availableModels(session: Session, choices: Choices): Promise<readonly ListedModel[]> {
  const { model } = session.selection.provider
  const current = `${model.provider}/${model.id}`
  const place = choices.models()
  const found = new Map<string, ListedModel>()
  // Whoever named an address asks nobody else.
  if (place.settings.values.baseUrl === null) {
    for (const row of place.registry.providers) {
      if (!isOpen(place, row)) continue
      for (const [id, facts] of Object.entries(await place.registry.modelsOf(row.id)))
        found.set(`${row.id}/${id}`, listed(`${row.id}/${id}`, facts))
    }
  }
  if (!found.has(current)) found.set(current, listed(current, model))
  return [...found.values()]
}

function listed(name: string, facts: Omit<ListedModel, "model">): ListedModel {
  const { contextWindow, maxOutput, reasoning, images } = facts
  return { model: name, contextWindow, maxOutput, reasoning, images }
}

/** The session's tools from its next run on, named as `--tools` does. */
export function chooseTools(choices: Choices, names: readonly string[]): Outcome<readonly string[]> {
  const selected = choices.selectTools(names.join(","))
  if (!selected.ok) return selected
  choices.controls.setTools(selected.value)
  return ok(selected.value.map(({ name }) => name))
}
