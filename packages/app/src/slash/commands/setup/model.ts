import type { ControllerState } from "../../../controller/api.ts"
import { modelOf } from "../../../controller/model.ts"
import { refusedBy, said, type SlashCommand, type SlashContext, type SlashEnd } from "../../command.ts"

export const model: SlashCommand = {
  name: "model",
  about: "select another model",
  value: "[PROVIDER/ID[:THINKING]]",
  complete: async ({ controller }) => (await modelsOf(controller)).map((value) => ({ value })),
  async run(context, wanted) {
    const { t, controller, person } = context
    const models = await modelsOf(controller)
    if (models.includes(wanted) || wanted.includes(":")) return choose(context, wanted)
    const fitting = models.filter((one) => one.toLowerCase().includes(wanted.toLowerCase()))
    // A model that no list knows can be asked all the same, where its provider is named.
    if (fitting.length === 0) return choose(context, wanted)
    if (fitting.length === 1 && wanted !== "") return choose(context, fitting[0] ?? wanted)
    const now = modelOf(controller.current.session).model
    const rows = fitting.map((one) => (one === now ? t`${one} (in use)` : one))
    const picked = await person.choose(t`Which model?`, rows)
    const one = picked === null ? undefined : fitting[picked]
    return one === undefined ? said([t`${now} is asked.`], { model: now }) : choose(context, one)
  },
}

async function modelsOf(controller: ControllerState): Promise<readonly string[]> {
  const found = await controller.call("get_available_models", {})
  return found.ok ? found.data.models.map(({ model }) => model) : []
}

async function choose({ t, controller }: SlashContext, name: string): Promise<SlashEnd> {
  const chosen = await controller.call("set_model", { model: name })
  if (!chosen.ok) return refusedBy(t, chosen)
  const { model, thinking } = chosen.data
  return said([t`${model} is asked from now on; thinking: ${thinking}.`], { model, thinking })
}
