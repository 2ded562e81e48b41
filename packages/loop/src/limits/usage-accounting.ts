import type { Step } from "@gong/spec"
import type { Budget } from "./limits.ts"

/** Counts requests that tools paid for themselves. An early return also returns `steps`. */
export async function* countUsage<T>(
  budget: Budget,
  steps: AsyncGenerator<Step, T, undefined>,
): AsyncGenerator<Step, T, undefined> {
  try {
    for (;;) {
      const { value, done } = await steps.next()
      if (done) return value
      if ("entries" in value)
        for (const entry of value.entries) if (entry.type === "model_call") budget.spend(entry.usage, entry.cost)
      yield value
    }
  } finally {
    await steps.return(undefined as never)
  }
}
