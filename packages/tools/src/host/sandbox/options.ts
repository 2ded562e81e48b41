/** What confines commands: writes only in the roots, or none at all. */
export type SandboxTier = "workspace" | "read-only"

export interface SandboxOptions {
  readonly tier: SandboxTier
  /** Full path of bubblewrap. Not from the PATH, which a project may lead to a program of its own. */
  readonly bwrap: string
  /** Real paths that commands may write to; the first is the workspace. One that is not there is left out. */
  readonly roots: readonly string[]
  /** Real paths that stay as they are although they may lie in a root: Gong's own home. */
  readonly kept: readonly string[]
  /** Files nobody inside may read, as those that hold keys. */
  readonly hidden: readonly string[]
  /** Name of the folder in a root that says how commands are judged, and so stays as it is. */
  readonly own: string
  /** An empty folder of Gong's own, shown where a root has no such folder. Without it git stumbles over what is shown. */
  readonly blank: string
  /** Commands that are run without a shell and without the sandbox, as the words it gives; null for all others. */
  readonly outside?: (command: string) => readonly string[] | null
  readonly network: boolean
  /** The user of this process; null where there are none. Root keeps fewer rights inside. */
  readonly uid: number | null
}
