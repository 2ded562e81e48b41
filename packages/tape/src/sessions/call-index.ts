import type { IndexOperations } from "./index-operations.ts"
import type { SessionsContext } from "./context.ts"

/** One call of what reads many sessions, wherever that is done. */
export type CallIndex = <V extends keyof IndexOperations>(
  verb: V,
  ...values: Parameters<IndexOperations[V]>
) => Promise<ReturnType<IndexOperations[V]>>

/** In this thread. SQLite is loaded at the first call. */
export function callIndexHere(context: SessionsContext): CallIndex {
  return async (verb, ...values) => {
    const { indexOperations: indexVerbs } = await import("./index-operations.ts")
    return dispatch(indexVerbs(context), verb, values)
  }
}

export function dispatch<V extends keyof IndexOperations>(
  verbs: IndexOperations,
  verb: V,
  values: Parameters<IndexOperations[V]>,
): ReturnType<IndexOperations[V]> {
  const work = verbs[verb] as (...given: Parameters<IndexOperations[V]>) => ReturnType<IndexOperations[V]>
  return work(...values)
}
