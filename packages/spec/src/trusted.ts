import type { Host, HostFiles } from "./ports/host.ts"

/** Location of a folder that can be trusted. */
export type TrustHost = HostFiles & Pick<Host, "id">

declare const brand: unique symbol

/** Proof that the user trusts this state of the folder. Every loader of project files requires one; only decide.ts creates it. */
export interface Trusted {
  readonly [brand]: true
  /** Location of the folder. */
  readonly host: TrustHost
  /** Real path of the folder. */
  readonly root: string
  /** SHA-256 (hex) by path inside the root, of all trusted files. Later files are not included. */
  readonly files: ReadonlyMap<string, string>
  /** The trusted content of a path inside the root; other content is never returned. */
  read(path: string): Promise<TrustedText>
  /** The same, as bytes. */
  readBytes(path: string): Promise<TrustedBytes>
}

export type TrustedText =
  /** Null: nothing was trusted at this path, or it is gone. */
  { readonly ok: true; readonly text: string | null } | Untrusted

export type TrustedBytes = { readonly ok: true; readonly bytes: Uint8Array | null } | Untrusted

interface Untrusted {
  readonly ok: false
  /** A sentence fragment for people: `changed since this folder was trusted`. */
  readonly problem: string
}
