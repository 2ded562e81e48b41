import type { FilesSeen } from "../model/seen.ts"

/** What a call would do, for the person who is asked about it. */
export type CallPreview =
  | {
      readonly kind: "run"
      /** Complete. */
      readonly command: string
      /** Full path of the working directory. */
      readonly cwd: string
      /** What the sandbox denied when the same command ran in it, such as `write to /etc/x`. */
      readonly blocked?: string
    }
  | {
      readonly kind: "change" | "create" | "overwrite"
      /** Full path. */
      readonly path: string
      /** Rows with line numbers, as in the details of an edit: `- 12 old`, `+ 12 new`, context, `...`. Of a new file its first lines. */
      readonly rows: readonly string[]
      /** Further rows that are left out. */
      readonly more: number
      /** Lines. */
      readonly added: number
      readonly removed: number
      /** Size of the new file in bytes; absent for a change. */
      readonly bytes?: number
    }
  | { readonly kind: "fetch"; readonly url: string }
  | {
      readonly kind: "server"
      readonly server: string
      /** As the server calls it. */
      readonly tool: string
      /** JSON, exactly as it is sent. */
      readonly arguments: string
    }

export interface PreviewContext {
  /** Absent: no file is guarded. */
  readonly seen?: FilesSeen
}

/** `preview` null: only the arguments are known. Not `ok`: the call would fail with this message, so there is no question. */
export type PreviewOutcome =
  | { readonly ok: true; readonly preview: CallPreview | null }
  | { readonly ok: false; readonly message: string }
