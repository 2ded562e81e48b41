import type { TrustHost } from "./place.ts"

declare const brand: unique symbol

/** The proof that a person trusts this folder as it is now. Every loader of project files asks for one; only decide.ts makes it. */
export interface Trusted {
  readonly [brand]: true
  /** Where the folder is. */
  readonly host: TrustHost
  /** Real path of the folder. */
  readonly root: string
  /** SHA-256 (hex) by path inside the root: all that was trusted. What came since is not in it. */
  readonly files: ReadonlyMap<string, string>
  /** What was trusted under a path inside the root; what else is there is not given away. */
  read(path: string): Promise<TrustedText>
  /** The same, as bytes. */
  readBytes(path: string): Promise<TrustedBytes>
}

export type TrustedText =
  /** Null: nothing was trusted under this path, or it is gone. */
  { readonly ok: true; readonly text: string | null } | Untrusted

export type TrustedBytes = { readonly ok: true; readonly bytes: Uint8Array | null } | Untrusted

interface Untrusted {
  readonly ok: false
  /** Half a sentence for people: `changed since this folder was trusted`. */
  readonly problem: string
}
