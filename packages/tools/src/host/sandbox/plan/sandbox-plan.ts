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

/** Everything needed to start a sandbox. */
export interface SandboxPlan {
  readonly layout: Layout
  /** Existing mounts of the layout, with links resolved. */
  readonly mounts: readonly Mount[]
  readonly withheld: readonly Withheld[]
  readonly call: BubblewrapCall
  /** Called after the sandbox has ended. Removes its placeholders. */
  release(): void
}

/** The state of the session for one command. */
export interface PlanRequest {
  readonly running: RunningNamespaces
  /** On top of all others except hidden paths. */
  readonly extraMounts: readonly Mount[]
  /** Protected real paths in the roots. */
  readonly readOnlyPaths: readonly string[]
}

/** Inspects the disk and creates placeholders, before each command. */
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
