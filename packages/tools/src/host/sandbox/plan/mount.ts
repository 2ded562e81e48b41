import { isInside } from "../../../posix-path.ts"

/** What commands see at one path. */
export type Mount =
  | { readonly how: "writable" | "read-only"; readonly path: string }
  /** Another folder, read-only. */
  | { readonly how: "shown"; readonly path: string; readonly from: string }
  /** Another folder, writable. */
  | { readonly how: "own"; readonly path: string; readonly from: string }
  /** An empty folder, removed after the command. */
  | { readonly how: "empty"; readonly path: string }
  /** The same, accessible by the user only. */
  | { readonly how: "private"; readonly path: string }
  /** An empty read-only folder. */
  | { readonly how: "bare"; readonly path: string }
  /** A file with another text, read-only. */
  | { readonly how: "text"; readonly path: string; readonly text: string }
  /** A file that cannot be opened. */
  | { readonly how: "hidden"; readonly path: string }

export interface Layout {
  /**
   * On top of the read-only machine. Inner mounts override outer ones, and later mounts override earlier ones at the
   * same path. Missing paths are skipped.
   */
  readonly mounts: readonly Mount[]
  /** Paths that must exist to be protected by a mount, because a command could create missing ones. */
  readonly made: readonly Placeholder[]
  /** Missing paths and symbolic links: restored if a command has changed them. */
  readonly watched: readonly string[]
  /** Repositories in writable folders: reviewed after each command. */
  readonly repositories: readonly Repository[]
}

/** A root in which git works, or may work after a command creates a repository. */
export interface Repository {
  readonly root: string
  /** Its git folder; null without one. */
  readonly own: string | null
  /** Writable git folders. */
  readonly folders: readonly string[]
}

/** Exists in place of a missing path while commands run. */
export interface Placeholder {
  readonly path: string
  /** Content of a file; null for an empty folder. */
  readonly text: string | null
}

/** The mount that is visible at a path: the last one of the deepest. */
export function innermost(mounts: readonly Mount[], path: string): Mount | null {
  return mounts
    .filter((mount) => isInside(mount.path, path))
    .reduce<Mount | null>((best, one) => (best && best.path.length > one.path.length ? best : one), null)
}

/** Concatenates layouts. Missing members are empty. */
export function mergeLayouts(layouts: readonly Partial<Layout>[]): Layout {
  return {
    mounts: layouts.flatMap(({ mounts = [] }) => mounts),
    made: layouts.flatMap(({ made = [] }) => made),
    watched: layouts.flatMap(({ watched = [] }) => watched),
    repositories: layouts.flatMap(({ repositories = [] }) => repositories),
  }
}

export function writable(path: string): Mount {
  return { how: "writable", path }
}

export function readOnly(path: string): Mount {
  return { how: "read-only", path }
}

export function hidden(path: string): Mount {
  return { how: "hidden", path }
}
