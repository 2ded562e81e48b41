export interface TransportRequest {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  /** Sent one after the other, never joined. */
  readonly body: readonly Uint8Array[]
  readonly signal: AbortSignal
  /** While it says no, nobody looks at the body as it comes: small pieces may be held back for a moment, its end may not. */
  watched?(): boolean
}

export interface TransportResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed. Throws a FailureError of kind `network` when the connection breaks. Leaving it early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The only way to the network. Throws a FailureError (`network`, `aborted`) when no response comes. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>
}
