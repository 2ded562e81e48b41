import type { Clock } from "@gong/spec"
import type { SessionsContext } from "../context.ts"
import { readsHere, type SessionReads } from "../reads.ts"
import type { Ask } from "./requests.ts"

/** The thread in which a process reads its sessions. */
export interface SessionsThread {
  /** Reads of these folders on the local disk. */
  reads(context: SessionsContext): SessionReads
}

/** One thread for the whole process, so that reads of many sessions do not block the event loop. Started by the first request. */
export function sessionsThread(clock: Clock): SessionsThread {
  let begun: Promise<Ask> | null = null
  const begin = async (): Promise<Ask> => {
    const [{ requestsTo }, { openWorker }] = await Promise.all([import("./requests.ts"), import("./worker.ts")])
    return requestsTo(openWorker, clock)
  }
  let users = 0
  return {
    reads(context) {
      users += 1
      const here = readsHere(context)
      const there = readsBy(context, async (...request) => (await (begun ??= begin()))(...request))
      // While a process starts, these reads block no other session, and starting the thread takes 50 ms.
      const isAlone = (): boolean => users === 1 && begun === null
      return {
        ...there,
        list: (options) => (isAlone() ? here : there).list(options),
        find: (wanted) => (isAlone() ? here : there).find(wanted),
      }
    },
  }
}

function readsBy({ sessions, trash, index }: SessionsContext, ask: Ask): SessionReads {
  const context = { sessions, trash, index }
  const by = <V extends keyof SessionReads>(verb: V): SessionReads[V] =>
    ((...values: readonly unknown[]) => ask(context, verb, values)) as SessionReads[V]
  return {
    list: by("list"),
    find: by("find"),
    listed: by("listed"),
    search: by("search"),
    scan: by("scan"),
    stats: by("stats"),
    rebuild: by("rebuild"),
    catchUp: by("catchUp"),
    names: by("names"),
  }
}
