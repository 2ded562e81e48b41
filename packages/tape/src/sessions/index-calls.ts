import type { IndexVerbs } from "./index-verbs.ts"
import type { SessionsContext } from "./context.ts"

/** One call of what reads many sessions, wherever that is done. */
export type IndexCalls = <V extends keyof IndexVerbs>(
  verb: V,
  ...values: Parameters<IndexVerbs[V]>
) => Promise<ReturnType<IndexVerbs[V]>>

/** In this thread. SQLite is loaded at the first call. */
export function indexHere(place: SessionsContext): IndexCalls {
  return async (verb, ...values) => {
    const { indexVerbs } = await import("./index-verbs.ts")
    return answer(indexVerbs(place), verb, values)
  }
}

export function answer<V extends keyof IndexVerbs>(
  verbs: IndexVerbs,
  verb: V,
  values: Parameters<IndexVerbs[V]>,
): ReturnType<IndexVerbs[V]> {
  const work = verbs[verb] as (...given: Parameters<IndexVerbs[V]>) => ReturnType<IndexVerbs[V]>
  return work(...values)
}
