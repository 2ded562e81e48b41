/** The response is not valid HTTP, or incomplete. */
export class HttpError extends Error {
  override name = "HttpError"
  /** `ECONNRESET` if the connection ended early, like the system's error. */
  readonly code: "ECONNRESET" | undefined

  constructor(message: string, code?: "ECONNRESET") {
    super(message)
    this.code = code
  }
}
