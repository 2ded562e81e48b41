import { availableParallelism } from "node:os"
import type { Host } from "@gong/spec"
import type { Options } from "../config/flags.ts"
import { must } from "../config/usage.ts"
import type { World } from "../world.ts"
import type { Config } from "./config.ts"
import type { SyncMode } from "./sessions.ts"
import { sessionHosts } from "./network-ports.ts"
import { chooseSandbox, confine } from "./sandbox.ts"

interface Known {
  readonly world: World
  readonly options: Options
  readonly config: Config
  readonly own: { readonly syncMode?: SyncMode }
}

/** Where the tools act, and within which walls their commands do. */
export async function commandPlace(known: Known) {
  const { world, options, config } = known
  const bare = lazyHost(known)
  const place = { world, options, config, keeps: options.noSession !== true, host: bare }
  const sandbox = must(await chooseSandbox(place))
  const hosts = sessionHosts(world, config.settings)
  return { bare, sandbox, hosts, host: lazily(async () => confine(await bare(), place, sandbox, hosts.ports)) }
}

/** Where the session's tools act; loaded when the first of them is called. */
function lazyHost({ world, config, own }: Known): () => Promise<Host> {
  return lazily(async () => {
    const { createLocalHost } = await import("@gong/tools/host/local")
    return createLocalHost({
      ...(own.syncMode === "thread-pool" ? { spawns: await sharedSpawns() } : {}),
      cwd: config.workspace.cwd,
      project: config.workspace.folder,
      env: world.env,
      home: world.userHome,
    })
  })
}

/** Of all sessions of this process. */
const sharedSpawns = lazily(async () => {
  const { createSharedSpawns } = await import("@gong/tools/host/shared-spawns")
  return createSharedSpawns(2 * availableParallelism())
})

export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
