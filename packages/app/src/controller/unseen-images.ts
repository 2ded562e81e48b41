import type { Model } from "@gong/spec"
import type { Translate } from "@gong/texts/translator"
import type { PromptInput } from "./prompt-input.ts"

/** A warning for a model without images; the model receives a note instead of them. */
export function unseenImages(t: Translate, model: Model, input: PromptInput): readonly string[] {
  if (input.images.length === 0 || model.images) return []
  return [t`gong: no images are sent to ${model.id}: it takes text only, or the setting images.block is on.`]
}
