import { isInside } from "../../../posix-path.ts"

/** What commands see at one place. */
export type Mount =
  | { readonly how: "writable" | "read-only"; readonly path: string }
  /** Shows another folder, read-only. */
  | { readonly how: "shown"; readonly path: string; readonly from: string }
  /** Another folder in its place, writable. */
  | { readonly how: "own"; readonly path: string; readonly from: string }
  /** An empty folder of its own, gone with the command. */
  | { readonly how: "empty"; readonly path: string }
  /** The same, for nobody but the user. */
  | { readonly how: "private"; readonly path: string }
  /** An empty folder in which nothing can be made. */
  | { readonly how: "bare"; readonly path: string }
  /** A file with another text in it, read-only. */
  | { readonly how: "text"; readonly path: string; readonly text: string }
  /** A file that cannot be opened. */
  | { readonly how: "hidden"; readonly path: string }

export interface Layout {
  /** Over the machine as it is, read-only; inner ones over outer ones, and of one path the last. What is not there is left out. */
  readonly mounts: readonly Mount[]
  /** What must be there to be laid over: a command could make what is not. */
  readonly made: readonly Placeholder[]
  /** What is not there, or is a symbolic link: it is put back when a command has changed it. */
  readonly watched: readonly string[]
  /** Where git works and commands may write: looked at after each of them. */
  readonly repositories: readonly Repository[]
}

/** A root in which git works, or may work once a command has made a repository there. */
export interface Repository {
  readonly root: string
  /** The git folder of its files; null where there is none. */
  readonly own: string | null
  /** Git folders that commands write to. */
  readonly folders: readonly string[]
}

/** Stands where nothing is, while commands run. */
export interface Placeholder {
  readonly path: string
  /** Of a file; null: an empty folder. */
  readonly text: string | null
}

/** The mount that decides what is seen at a path: the last of those that lie deepest. */
export function innermost(mounts: readonly Mount[], path: string): Mount | null {
  return mounts
    .filter((mount) => isInside(mount.path, path))
    .reduce<Mount | null>((best, one) => (best && best.path.length > one.path.length ? best : one), null)
}

/** All of them; what one does not say is empty. */
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
