import type { Gateway } from "../gateway/index.ts"

/** What confines commands: writes only in the roots, or none at all. */
export type SandboxTier = "workspace" | "read-only"

/** Where keys may lie. */
export interface SecretPath {
  /** What the setting `sandbox.reveal` calls it. */
  readonly name: string
  /** Full path of a folder, and from there that of the place. Links are followed. */
  readonly base: string
  readonly path: string
  /** The text of a settings file without the keys in it; null where that cannot be told. Absent: nothing of the place is seen. */
  readonly blank?: (text: string) => string | null
  /** What programs say that miss it. */
  readonly says?: RegExp
}

/** What not every kernel or bubblewrap has. */
export interface SandboxFeatures {
  /** Commands can be refused system calls. */
  readonly filter: boolean
  /** A folder that is laid over another can be given a mode. */
  readonly modes: boolean
}

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
  /** What commands see nothing of, or only a part; in a root that does not hold its base it is the workspace's own. */
  readonly secrets: readonly SecretPath[]
  /** Real paths that commands see although they lie in what is closed to them. */
  readonly revealed: readonly string[]
  /** Names of variables that commands get although they lead to services outside. */
  readonly variables: readonly string[]
  /** Names of files and folders in a root that programs outside run, in small letters and with `*`: they stay as they are. */
  readonly autorun: readonly string[]
  /** Folder of this workspace for what package managers keep; null: their caches begin empty with each command. */
  readonly caches: string | null
  /** Commands that are run without a shell and without the sandbox, as the words it gives; null for all others. */
  readonly outside?: (command: string) => readonly string[] | null
  /** Commands that only fetch or pull, as their words; null for all others. What such a one brings is as good as what was there. */
  readonly fetches?: (command: string) => readonly string[] | null
  readonly network: boolean
  /** As the probe has found them. */
  readonly features: SandboxFeatures
  /** The only way out for commands, where there is one; null: their network is this machine's, or none. */
  readonly gateway?: Gateway | null
  /** The user of this process; null where there are none. Root keeps fewer rights inside. */
  readonly uid: number | null
}
