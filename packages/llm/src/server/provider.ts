import { failure, type Model, type Provider, type Reply } from "@gong/spec"
import { unknownModel } from "../catalogue.ts"
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
      return firstOf(provider.stream(request), () => {
        query().then(
          (facts) => (window = facts?.contextWindow ?? null),
          () => undefined,
        )
      })
    },
  }
}

/** An assumed window gives way to the server's, a known one only to a smaller one. */
function windowOf({ contextWindow }: Model, window: number | null): number {
  if (window === null) return contextWindow
  return contextWindow === unknownModel.contextWindow ? window : Math.min(window, contextWindow)
}

/** The same stream; `answered` is called when the reply begins. */
async function* firstOf(stream: ReturnType<Provider["stream"]>, answered: () => void): ReturnType<Provider["stream"]> {
  try {
    let values = 0
    for (;;) {
      const { value, done } = await stream.next()
      if (done) return value
      yield value
      values += 1
      // The first partial precedes the request.
      if (values === 2) answered()
    }
  } finally {
    await stream.return(aborted)
  }
}

const aborted: Reply = { ok: false, failure: failure("aborted", "Operation aborted"), partial: null }
