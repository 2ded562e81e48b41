import { type Clock, failure, FailureError, failureOf, phrase } from "@gong/spec"
import type { Connection, ConnectionEvents, Endpoint, Era } from "../connection/connect.ts"
import { times } from "../definitions/limits.ts"
import { LoginNeeded } from "../oauth/login-needed.ts"

/** The state of a server, for lists. */
export type ServerState =
  | { readonly kind: "idle" | "starting" | "login" }
  | { readonly kind: "ready"; readonly revision: string; readonly title: string }
  | { readonly kind: "failed"; readonly why: string }

export interface LifecycleDeps {
  readonly name: string
  readonly version: string
  readonly clock: Clock
  /** Prepares a start; called at each one. */
  endpoint(): Promise<Endpoint>
  readonly events: Omit<ConnectionEvents, "onClosed">
  era(): Era | null
  /** Called with each new connection, before it is used. */
  opened(connection: Connection, signal: AbortSignal): Promise<void>
}

/** Starts a server when it is needed, and ends it when it is not. */
export interface Lifecycle {
  state(): ServerState
  /** Null while it does not run. */
  connection(): Connection | null
  /** Runs `work` with the connection; the server is not idle meanwhile. Rejects with FailureError or LoginNeeded. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Forgets failures, so that the next use starts the server again. */
  reset(): void
  end(): Promise<void>
}

/** Starts after a death, before its tools say why. */
const restarts = 2

export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { clock, name } = deps
  let opening: Promise<Connection> | null = null
  let stop = new AbortController()
  let current: Connection | null = null
  let users = 0
  let deaths = 0
  let why = ""
  let needsLogin = false
  let cancelIdle = (): void => undefined

  const died = (reason: string): void => {
    current = null
    opening = null
    deaths += 1
    why = reason
  }
  const open = async (): Promise<Connection> => {
    try {
      stop = new AbortController()
      const connection = await started(deps, died, stop)
      current = connection
      needsLogin = false
      return connection
    } catch (error) {
      opening = null
      needsLogin = error instanceof LoginNeeded
      if (!needsLogin) died(reasonOf(error))
      throw error
    }
  }
  const end = async (): Promise<void> => {
    cancelIdle()
    stop.abort(ended(name))
    const connection = current ?? (await opening?.catch(() => null))
    current = null
    opening = null
    await connection?.close().catch(() => undefined)
  }
  return {
    state() {
      if (current !== null) return { kind: "ready", revision: current.revision, title: current.title }
      if (opening !== null) return { kind: "starting" }
      if (needsLogin) return { kind: "login" }
      return why === "" ? { kind: "idle" } : { kind: "failed", why }
    },
    connection: () => current,
    async use(work) {
      if (deaths > restarts) throw gaveUp(name, deaths, why)
      cancelIdle()
      users += 1
      try {
        return await work(await (opening ??= open()))
      } finally {
        users -= 1
        if (users === 0) cancelIdle = clock.timer(times.idle, () => void end().catch(() => undefined))
      }
    },
    reset() {
      deaths = 0
      why = ""
    },
    end,
  }
}

async function started(
  deps: LifecycleDeps,
  onClosed: (why: string) => void,
  stop: AbortController,
): Promise<Connection> {
  const { clock, name, version, events } = deps
  const cancel = clock.timer(times.start, () => stop.abort(tooSlow(name)))
  try {
    // The client library is loaded while the program starts.
    const [{ connect }, endpoint] = await Promise.all([import("../connection/connect.ts"), deps.endpoint()])
    const connection = await connect(
      endpoint,
      { ...events, onClosed },
      { version, clock, era: deps.era(), signal: stop.signal },
    )
    try {
      await deps.opened(connection, stop.signal)
    } catch (error) {
      await connection.close().catch(() => undefined)
      throw error
    }
    return connection
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    cancel()
  }
}

function tooSlow(name: string): FailureError {
  return new FailureError(failure("stalled", phrase`${name} was not ready after ${times.start / 1_000} s`))
}

function ended(name: string): FailureError {
  return new FailureError(failure("aborted", phrase`${name} was ended`))
}

function gaveUp(name: string, deaths: number, why: string): FailureError {
  const text = phrase`${name} failed ${deaths} times and is not started again (${why}). gong mcp test ${name} shows its output; /mcp on ${name} tries again.`
  return new FailureError(failure("internal", text))
}

function reasonOf(error: unknown): string {
  return failureOf(error).message
}
