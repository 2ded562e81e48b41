/** What came is not HTTP, or not all of it. */
export class HttpError extends Error {
  override name = "HttpError"
  /** `ECONNRESET` when the connection ended too early, as the system says it. */
  readonly code: "ECONNRESET" | undefined

  constructor(message: string, code?: "ECONNRESET") {
    super(message)
    this.code = code
  }
}
