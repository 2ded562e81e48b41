import type { Clock, Transport } from "@gong/spec"
import type { ToolOptions } from "../options.ts"
import type { ImageOptions } from "../files/read-image.ts"
import type { Cut } from "../truncate.ts"

export interface FetchOptions extends ImageOptions, Pick<ToolOptions, "maxLines" | "maxBytes"> {
  readonly clock: Clock
  /** Restricted to the public internet; the restriction applies to resolved addresses. Closed after each call. */
  network(): Promise<Transport & { close(): void }>
  /** A complete text for the model while fetching is not allowed; null if it is allowed. */
  refusal?(): string | null
  readonly userAgent: string
}

export type FetchDetails = {
  /** The final address after redirects. */
  readonly url: string
  readonly status: number
  readonly content_type: string
  /** Bytes of the decoded response. */
  readonly size: number
  readonly truncated: boolean
  readonly truncation?: Cut
  /** Artifact of the session with the full text, if it was truncated. */
  readonly artifact?: string
  /** The other host that the address redirects to. */
  readonly redirect?: string
}
