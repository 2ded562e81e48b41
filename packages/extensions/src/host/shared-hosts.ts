import type { ExtensionHost } from "./host.ts"
import type { ThreadEvent } from "../reporter.ts"
import { type CallOptions, type ExtensionError, sessionOver } from "./open-calls.ts"
import type { Call } from "../protocol.ts"

/** Receives messages, output and problems of extensions that belong to no answer. `session` null: not known. */
export type Notify = (event: ThreadEvent, session: number | null) => void

export interface AttachOptions {
  /** Sessions with the same key share a thread. */
  readonly key: string
  /** Starts a new thread, also for later sessions; those that are attached keep theirs. */
  readonly fresh: boolean
  /** Starts the thread of the first session. */
  start(notify: Notify): ExtensionHost
  /** As in `ExtensionHostDeps`, for this session. */
  notify(event: ThreadEvent): void
}

/** The extension hosts of a process of many sessions: one for each folder and set of extensions. */
export interface SharedHosts {
  /** The host for one session. Its `end` ends the thread if no other session is attached. */
  attach(attaching: AttachOptions): ExtensionHost
}

interface SharedHost {
  readonly host: ExtensionHost
  readonly sessions: Map<number, (event: ThreadEvent) => void>
  /** Why extensions are off, for sessions that attach later. */
  readonly off: ThreadEvent[]
}

export function createSharedHosts(): SharedHosts {
  const all = new Map<string, SharedHost>()
  let sessionCount = 0
  return {
    attach({ key, fresh, start, notify }) {
      const known = fresh ? undefined : all.get(key)
      const shared = known ?? sharedHost(start)
      all.set(key, shared)
      const session = sessionCount++
      shared.sessions.set(session, notify)
      for (const event of shared.off) notify(event)
      return attached(shared, session, () => {
        if (all.get(key) === shared) all.delete(key)
      })
    },
  }
}

function sharedHost(start: AttachOptions["start"]): SharedHost {
  const sessions: SharedHost["sessions"] = new Map()
  const off: ThreadEvent[] = []
  const host = start((event, session) => {
    if (event.kind === "off") off.push(event)
    if (session === null) for (const notify of sessions.values()) notify(event)
    else sessions.get(session)?.(event)
  })
  return { host, sessions, off }
}

/** `last` is called when the last session detaches. */
function attached({ host, sessions }: SharedHost, session: number, last: () => void): ExtensionHost {
  const open = new Set<(error: ExtensionError) => void>()
  let ended = false
  return {
    begin: host.begin,
    loaded: host.loaded,
    registrations: host.registrations,
    assumed: host.assumed,
    isOff: host.isOff,
    get ended() {
      return ended
    },
    async call(call, options) {
      if (ended) throw sessionOver()
      return stoppable(open, { ...call, session }, options, host.call)
    },
    end() {
      if (ended) return
      ended = true
      for (const stop of open) stop(sessionOver())
      sessions.delete(session)
      if (sessions.size > 0) return
      last()
      host.end()
    },
  }
}

/** A call that its session can stop without ending the thread. */
async function stoppable(
  open: Set<(error: ExtensionError) => void>,
  call: Call,
  options: CallOptions = {},
  work: ExtensionHost["call"],
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const { signal } = options
  const control = new AbortController()
  const abort = (): void => control.abort(signal?.reason)
  const stop = (error: ExtensionError): void => {
    control.abort()
    reject(error)
  }
  open.add(stop)
  if (signal?.aborted) abort()
  else signal?.addEventListener("abort", abort, { once: true })
  try {
    work(call, { ...options, signal: control.signal }).then(resolve, reject)
    return await promise
  } finally {
    open.delete(stop)
    signal?.removeEventListener("abort", abort)
  }
}
