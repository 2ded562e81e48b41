import type { Translate } from "@gong/texts/translator"
import { priceText, tokenSize } from "@gong/texts/prices"
import { customProvider, isFamily } from "@gong/llm"
import type { ControllerState } from "../../../controller/api.ts"
import type { AvailableModel } from "../../../controller/data.ts"
import { modelOf } from "../../../controller/model.ts"
import { errorOutput, output, type SlashCommand, type SlashContext, type SlashResult } from "../../command.ts"

export const model: SlashCommand = {
  name: "model",
  about: "select another model",
  value: "[PROVIDER/ID[:THINKING]]",
  complete: async ({ controller }) => (await modelsOf(controller)).map(({ model: value }) => ({ value })),
  async run(context, query) {
    const { t, controller, user } = context
    const available = await modelsOf(controller)
    const models = available.map(({ model: one }) => one)
    // The name of a family is its newest model.
    if (models.includes(query) || query.includes(":") || isFamily(query)) return select(context, query, models)
    const matches = models.filter((one) => one.toLowerCase().includes(query.toLowerCase()))
    // Unlisted models can be selected with their provider.
    if (matches.length === 0) return select(context, query, models)
    if (matches.length === 1 && query !== "") return select(context, matches[0] ?? query, models)
    const current = modelOf(controller.current.session).model
    const rows = matches.map((one) => (one === current ? t`${one} (in use)` : one))
    const picked = await user.choose(t`Which model?`, rows, {
      at: matches.indexOf(current),
      async preview(at) {
        const one = available.find(({ model: name }) => name === matches[at])
        return one === undefined ? [] : factsOf(t, one)
      },
    })
    const one = picked === null ? undefined : matches[picked]
    return one === undefined ? output([t`The model is ${current}.`], { model: current }) : select(context, one, models)
  },
}

async function modelsOf(controller: ControllerState): Promise<readonly AvailableModel[]> {
  const found = await controller.call("get_available_models", {})
  return found.ok ? found.data.models : []
}

/** Window, longest reply, price and abilities of a model. */
function factsOf(
  t: Translate,
  { contextWindow, maxOutput, price, reasoning, images }: AvailableModel,
): readonly string[] {
  const sizes = t`window ${tokenSize(contextWindow)}, reply ${tokenSize(maxOutput)}`
  const abilities = [...(reasoning ? [t`thinking`] : []), ...(images ? [t`images`] : [])]
  return [[sizes, ...abilities].join(", "), t`per million tokens: ${priceText(t, price)}`]
}

async function select({ t, controller }: SlashContext, name: string, listed: readonly string[]): Promise<SlashResult> {
  const chosen = await controller.call("set_model", { model: name })
  if (!chosen.ok) return errorOutput(t, chosen)
  const { model, thinking, contextWindow } = chosen.data
  const isKnown = listed.includes(model) || model.startsWith(`${customProvider}/`)
  const guess = t`It is not in the list of models: Gong assumes a window of ${contextWindow} tokens.`
  return output([t`The model is now ${model}; thinking: ${thinking}.`, ...(isKnown ? [] : [guess])], {
    model,
    thinking,
  })
}
