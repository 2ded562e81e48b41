import type { Host } from "@gong/spec"
import { type BubblewrapCall, bubblewrapCall, inOrder, presentMounts } from "./bubblewrap.ts"
import { createClosed } from "./closed-sockets.ts"
import { hold } from "./placeholders.ts"
import { createLayout } from "./layout.ts"
import type { Layout, Mount } from "./mount.ts"
import type { SandboxOptions } from "../options.ts"
import type { AskGit } from "../git/ask-git.ts"
import { createRunFolder } from "./run-folder.ts"
import { createSecrets, type Withheld } from "../secrets/secrets.ts"
import type { Running } from "./sockets.ts"

/** All that a sandbox made now would be. */
export interface Laid {
  readonly layout: Layout
  /** Those of the layout that are there, with links followed. */
  readonly mounts: readonly Mount[]
  readonly withheld: readonly Withheld[]
  readonly call: BubblewrapCall
  /** To be called when the sandbox has ended: what is there for its sake goes. */
  letGo(): void
}

/** What a sandbox must know of the session at the moment. */
export interface Now {
  readonly running: Running
  /** Lie over all else but what is closed. */
  readonly more: readonly Mount[]
  /** Real paths in the roots that stay as they are. */
  readonly held: readonly string[]
}

/** Looks at what is there now, and makes what must be there. */
export function createLay(host: Host, options: SandboxOptions, ask: AskGit): (now: Now) => Promise<Laid> {
  const layOut = createLayout(host, options, ask)
  const runFolder = createRunFolder(host, options.revealed)
  const closed = createClosed(host, options)
  const secrets = createSecrets(host, options)
  return async ({ running, more, held }) => {
    const layout = await layOut(held)
    const { folders, letGo } = hold(layout.made)
    try {
      const { withheld, around, mounts: blanks } = await secrets()
      const present = await presentMounts(host, [...layout.mounts, ...more])
      const all = [...(await runFolder()), ...around.mounts, ...present, ...blanks, ...(await closed(running))]
      const mounts = inOrder(all)
      const watched = [...layout.watched, ...around.watched]
      return {
        layout: { ...layout, watched },
        mounts,
        withheld,
        call: bubblewrapCall({ ...options, mounts, locked: folders }),
        letGo,
      }
    } catch (error) {
      letGo()
      throw error
    }
  }
}
