import type { Clock, Host } from "@gong/spec"
import { systemClock } from "./host/clock.ts"
import type { Operations } from "./operations.ts"
import type { Place } from "./paths.ts"

/** Options that every tool accepts. */
export interface ToolOptions extends Omit<Place, "cwd"> {
  /** Default: this machine, loaded at the first call. */
  readonly host?: Host | (() => Promise<Host>)
  /** Default 2000. */
  readonly maxLines?: number
  /** Default 51,200. */
  readonly maxBytes?: number
  readonly clock?: Clock
  /** Substituted for operations of the host. */
  readonly operations?: Operations
}

/** The host, paths and clock of one tool. */
export interface Site {
  readonly place: Place
  readonly clock: Clock
  host(): Promise<Host>
}

export function openSite(cwd: string, options: ToolOptions): Site {
  const open = openHost(cwd, options)
  let host: Promise<Host> | undefined
  return {
    place: { ...options, cwd },
    clock: options.clock ?? systemClock,
    host: () => (host ??= options.operations === undefined ? open() : operated(open(), options.operations)),
  }
}

async function operated(opened: Promise<Host>, operations: Operations): Promise<Host> {
  const { withOperations } = await import("./operations.ts")
  return withOperations(await opened, operations)
}

/** The given host, or this machine. Opened once, at the first call. */
export function openHost(cwd: string, options: ToolOptions): () => Promise<Host> {
  const given = options.host
  if (typeof given === "function") return given
  let host: Promise<Host> | undefined
  return () => (host ??= given === undefined ? openLocalHost(cwd) : Promise.resolve(given))
}

async function openLocalHost(cwd: string): Promise<Host> {
  const { createLocalHost } = await import("./host/local.ts")
  return createLocalHost({ cwd })
}
