import { phrase, type Model, ownFolder } from "@gong/spec"
import type { Limits } from "@gong/loop"
import type { Settings } from "@gong/config/settings/resolve"
import { ok, type Outcome, usage } from "@gong/config/usage"

/** Turns of one run without a user who can stop it (design section 6). */
const headlessTurns = 500

/** The limits of a run. A cost limit needs known prices; without them it is refused before the first request. */
export function limitsOf(settings: Settings, models: readonly Model[], interactive: boolean): Outcome<Limits> {
  const { values } = settings
  const maxCost = values["limits.maxCost"]
  const unpriced = models.find(({ price }) => !price)
  if (maxCost !== null && unpriced) {
    const name = `${unpriced.provider}/${unpriced.id}`
    return usage(
      phrase`--max-cost needs prices; none are known for ${name}. Use --max-tokens, or add its price to ~/${ownFolder}/models.json.`,
    )
  }
  const maxTurns = values["limits.maxTurns"] ?? (interactive ? null : headlessTurns)
  return ok({
    ...(maxTurns === null ? {} : { maxTurns }),
    ...(maxCost === null ? {} : { maxCost }),
    ...(values["limits.maxTokens"] === null ? {} : { maxTokens: values["limits.maxTokens"] }),
    ...(values["limits.maxTime"] === null ? {} : { maxTime: values["limits.maxTime"] }),
  })
}
