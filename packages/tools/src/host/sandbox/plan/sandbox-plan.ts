import type { Host } from "@gong/spec"
import { type BubblewrapCall, bubblewrapCall, inOrder, presentMounts } from "./bubblewrap.ts"
import { createSocketMounts } from "./socket-mounts.ts"
import { acquirePlaceholders } from "./placeholders.ts"
import { createLayout } from "./layout.ts"
import type { Layout, Mount } from "./mount.ts"
import type { SandboxOptions } from "../options.ts"
import type { AskGit } from "../git/ask-git.ts"
import { createRunFolder } from "./run-folder.ts"
import { createSecrets, type Withheld } from "../secrets/secrets.ts"
import type { RunningNamespaces } from "./sockets.ts"

/** All that a sandbox made now would be. */
export interface SandboxPlan {
  readonly layout: Layout
  /** Those of the layout that are there, with links followed. */
  readonly mounts: readonly Mount[]
  readonly withheld: readonly Withheld[]
  readonly call: BubblewrapCall
  /** To be called when the sandbox has ended: what is there for its sake goes. */
  release(): void
}

/** What a sandbox must know of the session at the moment. */
export interface PlanRequest {
  readonly running: RunningNamespaces
  /** Lie over all else but what is closed. */
  readonly extraMounts: readonly Mount[]
  /** Real paths in the roots that stay as they are. */
  readonly readOnlyPaths: readonly string[]
}

/** Looks at what is there now, and makes what must be there. */
export function createPlanner(
  host: Host,
  options: SandboxOptions,
  ask: AskGit,
): (now: PlanRequest) => Promise<SandboxPlan> {
  const layoutFor = createLayout(host, options, ask)
  const runFolder = createRunFolder(host, options.revealed)
  const socketMounts = createSocketMounts(host, options)
  const secrets = createSecrets(host, options)
  return async ({ running, extraMounts, readOnlyPaths }) => {
    const layout = await layoutFor(readOnlyPaths)
    const { folders, release } = acquirePlaceholders(layout.made)
    try {
      const { withheld, around, mounts: blanks } = await secrets()
      const present = await presentMounts(host, [...layout.mounts, ...extraMounts])
      const all = [...(await runFolder()), ...around.mounts, ...present, ...blanks, ...(await socketMounts(running))]
      const mounts = inOrder(all)
      const watched = [...layout.watched, ...around.watched]
      return {
        layout: { ...layout, watched },
        mounts,
        withheld,
        call: bubblewrapCall({ ...options, mounts, locked: folders }),
        release,
      }
    } catch (error) {
      release()
      throw error
    }
  }
}
