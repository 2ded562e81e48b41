import type { Clock, Transport } from "@gong/spec"
import type { ToolOptions } from "../options.ts"
import type { ImageOptions } from "../files/read-image.ts"
import type { Cut } from "../truncate.ts"

export interface FetchOptions extends ImageOptions, Pick<ToolOptions, "maxLines" | "maxBytes"> {
  readonly clock: Clock
  /** Reaches the public internet and nothing else: what may be asked is decided there, where names become addresses. Closed after each call. */
  network(): Promise<Transport & { close(): void }>
  /** Whole text for the model while nothing may be fetched; null: it may. */
  refusal?(): string | null
  readonly userAgent: string
}

export type FetchDetails = {
  /** The address that answered. */
  readonly url: string
  readonly status: number
  readonly content_type: string
  /** Bytes of the answer, unpacked. */
  readonly size: number
  readonly truncated: boolean
  readonly truncation?: Cut
  /** Where all of a text that was cut stands, beside the session. */
  readonly artifact?: string
  /** The other host that the address leads to. */
  readonly redirect?: string
}
