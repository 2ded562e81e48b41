import type { Host } from "@gong/spec"

/** What confines commands: writes only in the roots, or none at all. */
export type SandboxTier = "workspace" | "read-only"

export interface SandboxOptions {
  readonly tier: SandboxTier
  /** Full path of bubblewrap, as `findBubblewrap` gives it. */
  readonly bwrap: string
  /** Real paths that commands may write to; the first is the workspace. One that is not there is left out. */
  readonly roots: readonly string[]
  /** Real paths that stay as they are although they may lie in a root: Gong's own home. */
  readonly kept: readonly string[]
  /** Real paths in `kept` that may be written to all the same: what this session keeps there. */
  readonly open: readonly string[]
  /** Files nobody inside may read, as those that hold keys. */
  readonly hidden: readonly string[]
  /** A folder of Gong's own that is shown where a project has no `.gong`; made when it is missing. */
  readonly blank: string
  readonly network: boolean
  /** The user of this process; null where there are none. Root keeps fewer rights inside. */
  readonly uid: number | null
}

/** Where bubblewrap is looked for: never in the PATH, which a project may lead to a program of its own. */
const places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"]

export async function findBubblewrap(host: Pick<Host, "stat">): Promise<string | null> {
  for (const place of places) if ((await host.stat(place))?.kind === "file") return place
  return null
}
