/** Data too large or too binary for a tape line; stored beside the tape, named by content hash where possible. */
export interface Artifacts {
  /** Stores bytes under `sha256-<hex>` and returns that name. With `sync` they are durable on return. The caller may reuse its buffer. */
  put(bytes: Uint8Array, options?: { readonly sync?: boolean }): Promise<string>
  get(name: string): Promise<Uint8Array | null>
  /** Full path for a spill file of this name; its folder exists. */
  spillPath(name: string): Promise<string>
}
