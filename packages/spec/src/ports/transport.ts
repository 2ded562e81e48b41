export interface TransportRequest {
  readonly url: string
  readonly method: "GET" | "POST" | "DELETE"
  readonly headers: Readonly<Record<string, string>>
  /** Sent one after the other, without copying. */
  readonly body: readonly Uint8Array[]
  readonly signal: AbortSignal
  /** False while nobody reads the body live: small chunks may then be delayed, the end may not. Default: true. */
  watched?(): boolean
}

export interface TransportResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed. Throws FailureError (`network`) if the connection breaks. An early return closes the connection. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The only access to the network. Throws FailureError (`network`, `aborted`) if there is no response. */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>
}
