import type { Host } from "@gong/spec"
import { join } from "../../posix-path.ts"
import { bubblewrapArguments, presentMounts } from "./arguments.ts"
import { makeCaches } from "./caches.ts"
import { holdFolders } from "./hold.ts"
import { createLayout } from "./layout.ts"
import type { Layout, Mount } from "./mount.ts"
import type { SandboxOptions } from "./options.ts"

/** All that a sandbox made now would be. */
export interface Laid {
  readonly layout: Layout
  /** Those of the layout that are there, with links followed. */
  readonly mounts: readonly Mount[]
  /** The command line in front of a command's own. */
  readonly argv: readonly string[]
  /** To be called when the sandbox has ended: folders that are there for its sake go. */
  letGo(): Promise<void>
}

/** Looks at what is there now, and makes what must be there. */
export function createLay(host: Host, options: SandboxOptions): () => Promise<Laid> {
  const folders = holdFolders(host)
  const layOut = createLayout(host, options)
  const prepare = async () => {
    await makeBlank(host, options.blank).catch(() => undefined)
    if (options.tier === "workspace") await makeCaches(host)
  }
  let ready: Promise<void> | undefined
  return async () => {
    await (ready ??= prepare())
    const layout = await layOut()
    const letGo = await folders.hold(layout.made)
    try {
      const mounts = await presentMounts(host, layout.mounts)
      return { layout, mounts, argv: bubblewrapArguments({ ...options, mounts }), letGo }
    } catch (error) {
      await letGo()
      throw error
    }
  }
}

/** A folder of which git sees nothing. Where it cannot be made an empty one must do, which `git clean` stumbles over. */
async function makeBlank(host: Host, path: string): Promise<void> {
  const ignore = join(await host.realpath(path), ".gitignore")
  if ((await host.stat(ignore)) !== null) return
  await host.replaceFile(ignore, new TextEncoder().encode("*\n"))
}
