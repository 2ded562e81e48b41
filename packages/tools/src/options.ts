import type { Clock, Host } from "@gong/spec"
import { systemClock } from "./host/clock.ts"
import type { Place } from "./paths.ts"

/** What every tool can be given; all of it optional. */
export interface ToolOptions extends Omit<Place, "cwd"> {
  /** Default: this machine, loaded at the first call. */
  readonly host?: Host
  /** Default 2000. */
  readonly maxLines?: number
  /** Default 51,200. */
  readonly maxBytes?: number
  readonly clock?: Clock
}

/** Where one tool acts and what it takes time from. */
export interface Site {
  readonly place: Place
  readonly clock: Clock
  host(): Promise<Host>
}

/** `adapt` puts injected operations over the members of the host. */
export function openSite(cwd: string, options: ToolOptions, adapt: (host: Host) => Host = (host) => host): Site {
  let host: Promise<Host> | undefined
  return {
    place: { ...options, cwd },
    clock: options.clock ?? systemClock,
    host: () => (host ??= openHost(cwd, options).then(adapt)),
  }
}

async function openHost(cwd: string, options: ToolOptions): Promise<Host> {
  if (options.host !== undefined) return options.host
  const { createLocalHost } = await import("./host/local.ts")
  return createLocalHost({ cwd })
}
