/** What commands see at one place. */
export type Mount =
  | { readonly how: "writable" | "read-only"; readonly path: string }
  /** Shows another folder, read-only. */
  | { readonly how: "shown"; readonly path: string; readonly from: string }
  /** An empty folder of its own, gone with the command. */
  | { readonly how: "empty"; readonly path: string }
  /** A file that cannot be opened. */
  | { readonly how: "hidden"; readonly path: string }

export interface Layout {
  /** Over the machine as it is, read-only; later ones over earlier ones. What is not there is left out. */
  readonly mounts: readonly Mount[]
  /** Folders that must be there to be laid over: a command could make what is not. */
  readonly made: readonly string[]
  /** Files that must not be there and cannot be laid over: taken away when a command has made them. */
  readonly unwanted: readonly string[]
}
