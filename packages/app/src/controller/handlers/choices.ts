import { phrase } from "@gong/spec"
import { availableModels, chooseModelFor, chooseTools } from "../../compose/models/choices.ts"
import { type Answer, answerOf, done, refuse } from "../answer.ts"
import { busy } from "./busy.ts"
import type { ControllerState } from "../api.ts"
import type { ModelData } from "../data.ts"
import type { HandlersOf } from "./handler.ts"
import { modelOf } from "../model.ts"

/** Commands that select the model, tools and options of the next run. */
export const choices: HandlersOf<
  | "set_model"
  | "cycle_model"
  | "get_available_models"
  | "set_thinking_level"
  | "set_auto_compaction"
  | "set_auto_retry"
  | "set_permission"
  | "set_tools"
> = {
  async set_model(state, { model }, answer) {
    answer(busy(state) ?? (await setModel(state, model)))
  },
  async cycle_model(state, _, answer) {
    const refused = busy(state)
    if (refused) return answer(refused)
    const { session, choices } = state.current
    const models = await availableModels(session, choices)
    const at = models.findIndex(({ model }) => model === modelOf(session).model)
    const next = models[(at + 1) % models.length]
    return answer(next ? await setModel(state, next.model) : refuse("not_found", phrase`No model is available.`))
  },
  async get_available_models({ current: { session, choices } }, _, answer) {
    const models = await availableModels(session, choices)
    answer(done({ models: models.map((one) => ({ ...one, current: one.model === modelOf(session).model })) }))
  },
  set_thinking_level(state, { level }, answer) {
    const { session } = state.current
    const refused = busy(state)
    if (refused) return answer(refused)
    session.selectModel({ thinking: level })
    return answer(done(modelOf(session)))
  },
  set_auto_compaction({ current }, { enabled }, answer) {
    const { controls } = current.choices
    controls.set({ compaction: { ...controls.settings().compaction, auto: enabled } })
    answer(done({ enabled }))
  },
  set_auto_retry({ current }, { enabled }, answer) {
    const { controls, retry } = current.choices
    controls.set({ retry: enabled ? retry : { ...retry, count: 0 } })
    answer(done({ enabled }))
  },
  async set_permission({ current }, { level }, answer) {
    await current.session.setPermission(level)
    answer(done({ level }))
  },
  set_tools(state, { tools }, answer) {
    const refused = busy(state)
    if (refused) return answer(refused)
    const chosen = chooseTools(state.current.choices, tools)
    return answer(chosen.ok ? done({ tools: chosen.value }) : answerOf(chosen))
  },
}

async function setModel({ current: { session, choices } }: ControllerState, name: string): Promise<Answer<ModelData>> {
  const chosen = await chooseModelFor(session, choices, name)
  return chosen.ok ? done(modelOf(session)) : answerOf(chosen)
}
