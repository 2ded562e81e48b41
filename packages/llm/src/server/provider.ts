import type { Model, PartialUpdate, Provider } from "@gong/spec"
import { unknownModel } from "../catalogue.ts"
import { transformStream } from "../protocol/reply/transform-stream.ts"
import type { ServerFacts } from "./facts.ts"

/**
 * A model whose server is asked for its window. The query runs beside the first reply, so that it delays nothing, and a server
 * that refuses the request gets no other one.
 */
export function withServerFacts(provider: Provider, query: () => Promise<ServerFacts | null>): Provider {
  let window: number | null = null
  let asked = false
  let current = provider.model
  return {
    get model() {
      const contextWindow = windowOf(provider.model, window)
      if (current.contextWindow !== contextWindow) current = { ...provider.model, contextWindow }
      return current
    },
    stream(request) {
      if (asked) return provider.stream(request)
      asked = true
      return transformStream(provider.stream(request), async () => ({ pass: firstPartial(ask) }))
    },
  }

  function ask(): void {
    query().then(
      (facts) => (window = facts?.contextWindow ?? null),
      () => undefined,
    )
  }
}

/** Calls `ask` at the first partial of a reply. */
function firstPartial(ask: () => void): (partial: PartialUpdate) => readonly PartialUpdate[] {
  let begun = false
  return (partial) => {
    if (!begun) ask()
    begun = true
    return [partial]
  }
}

/** An assumed window gives way to the server's, a known one only to a smaller one. */
function windowOf({ contextWindow }: Model, window: number | null): number {
  if (window === null) return contextWindow
  return contextWindow === unknownModel.contextWindow ? window : Math.min(window, contextWindow)
}
