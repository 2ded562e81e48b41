import type { Gateway } from "../gateway/index.ts"

/** Writes are allowed in the roots only, or nowhere. */
export type SandboxTier = "workspace" | "read-only"

/** A path that may contain keys. */
export interface SecretPath {
  /** Its name in the setting `sandbox.reveal`. */
  readonly name: string
  /** Full path of a folder, and the path relative to it. Links are followed. */
  readonly base: string
  readonly path: string
  /**
   * Removes the keys from the text of a settings file; null if that is not possible. Absent: the path is hidden
   * completely.
   */
  readonly blank?: (text: string) => string | null
  /** Error messages of programs that miss it. */
  readonly says?: RegExp
}

/** Features that not every kernel or bubblewrap has. */
export interface SandboxFeatures {
  /** A seccomp filter can be installed. */
  readonly filter: boolean
  /** A mounted folder can have its own mode. */
  readonly modes: boolean
}

export interface SandboxOptions {
  readonly tier: SandboxTier
  /** Full path of bubblewrap. Not searched in the PATH, which a project may change. */
  readonly bwrap: string
  /** Real paths that commands may write to; the first is the workspace. Missing ones are skipped. */
  readonly roots: readonly string[]
  /** Real paths that stay read-only inside a root, such as Gong's home. */
  readonly kept: readonly string[]
  /** Files that commands cannot read, such as those with keys. */
  readonly hidden: readonly string[]
  /**
   * Paths hidden from commands completely or partly. Inside a root that does not contain their base they belong to the
   * workspace and stay visible.
   */
  readonly secrets: readonly SecretPath[]
  /** Real paths that stay visible inside hidden ones. */
  readonly revealed: readonly string[]
  /** Names of variables that are kept although they lead to services outside. */
  readonly variables: readonly string[]
  /** Names of auto-run files and folders in a root, in lower case, with `*` as wildcard. They are protected. */
  readonly autorun: readonly string[]
  /** Folder for the package caches of this workspace; null: each command starts with empty caches. */
  readonly caches: string | null
  /** The words of a command that is run without a shell and outside the sandbox; null for all others. */
  readonly outside?: (command: string) => readonly string[] | null
  /**
   * The words of a command that only fetches or pulls; null for all others. Fetched commits count like existing ones.
   */
  readonly fetches?: (command: string) => readonly string[] | null
  readonly network: boolean
  /** As detected by the probe. */
  readonly features: SandboxFeatures
  /** The only way out of the network; null: the network of this machine, or none. */
  readonly gateway?: Gateway | null
  /** The user of this process; null on platforms without user ids. Root loses some capabilities inside. */
  readonly uid: number | null
}
