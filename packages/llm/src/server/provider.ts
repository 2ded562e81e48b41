import { failure, type Model, type Provider, type Reply } from "@gong/spec"
import { unknownModel } from "../catalogue.ts"
import type { ServerFacts } from "./facts.ts"

/**
 * A model whose server is asked for its window. The query runs beside the first request, so that it delays nothing; the first
 * request of a session is small.
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

/** The same stream; `sent` is called once its request is on the way. */
async function* firstOf(stream: ReturnType<Provider["stream"]>, sent: () => void): ReturnType<Provider["stream"]> {
  try {
    // The first partial precedes the request.
    const start = await stream.next()
    if (start.done) return start.value
    yield start.value
    let next = stream.next()
    sent()
    for (;;) {
      const { value, done } = await next
      if (done) return value
      yield value
      next = stream.next()
    }
  } finally {
    await stream.return(aborted)
  }
}

const aborted: Reply = { ok: false, failure: failure("aborted", "Operation aborted"), partial: null }
