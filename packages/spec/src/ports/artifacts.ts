/** Bytes too big or too binary for a line on the tape; kept beside it, named by content where possible. */
export interface Artifacts {
  /** Stores bytes under `sha256-<hex>` and returns that name. `sync`: durable when it resolves. The bytes are then the caller's again. */
  put(bytes: Uint8Array, options?: { readonly sync?: boolean }): Promise<string>
  get(name: string): Promise<Uint8Array | null>
  /** Full path of a spill file with this name; the folder exists. */
  spillPath(name: string): Promise<string>
}
