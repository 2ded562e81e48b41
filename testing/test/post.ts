/** Result of one POST to the model server. */
export interface Got {
  /** 0 without a response head. */
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly bytes: number
  /** Number of chunks of the body. */
  readonly chunks: number
  /** The events of an SSE body, without their blank lines. */
  readonly events: readonly string[]
  /** The connection ended before the body was complete. */
  readonly broken: boolean
}

export interface PostOptions {
  readonly body: unknown
  /** Closes after this many events. */
  readonly leaveAfter?: number
}

export function post(url: string, options: PostOptions): Promise<Got> {
  const http = process.getBuiltinModule("node:http")
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let status = 0
    let headers = {}
    const done = (broken: boolean) => {
      const all = Buffer.concat(parts)
      const text = all.toString("utf8")
      resolve({ status, headers, text, bytes: all.length, chunks: parts.length, events: eventsOf(text), broken })
    }
    const request = http.request(url, {
      method: "POST",
      agent: false,
      headers: { "anthropic-version": "2023-06-01", "x-api-key": "k" },
    })
    request
      .on("error", () => done(true))
      .on("response", (response) => {
        status = response.statusCode ?? 0
        headers = response.headers
        const leave = () => {
          if (options.leaveAfter === undefined || eventsOf(Buffer.concat(parts).toString()).length < options.leaveAfter)
            return
          done(false)
          request.destroy()
        }
        leave()
        response.on("data", (part: Buffer) => {
          parts.push(part)
          leave()
        })
        response.on("end", () => done(false)).on("error", () => done(true))
      })
    request.end(JSON.stringify(options.body))
  })
}

function eventsOf(text: string): string[] {
  return text.split("\n\n").filter((event) => event !== "")
}
