import type { ModelRef } from "@gong/spec"
import { createRng } from "@gong/testing/sim/rng"
import { transcript } from "./generate.ts"
import { requestTo, type Target } from "./targets.ts"

/** The provider's reason to reject the transcript of a seed; null if every target accepts it. */
export function refusedOf(seed: number, all: readonly Target[]): string | null {
  const rng = createRng(seed)
  const [first, ...others] = all.map(({ model: { provider, id, api } }): ModelRef => ({ provider, id, api }))
  if (first === undefined) throw new Error("there are no targets")
  // Two models per transcript, so that each target sees its own messages often enough.
  const known = [first, ...others] as const
  const models = [rng.pick([...known]), rng.pick([...known])] as const
  const made = transcript(rng, [...models])
  for (const target of all) {
    const problems = target.check(requestTo(target, made))
    if (problems.length > 0) return `seed ${seed}, ${target.name}: ${problems.slice(0, 3).join("; ")}`
  }
  return null
}
