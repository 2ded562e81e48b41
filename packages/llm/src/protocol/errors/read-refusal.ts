import { failure, FailureError, parseJson, type TransportResponse } from "@gong/spec"
import { type RequestContext, classify } from "./classify.ts"
import { retryAfter } from "./retry-after.ts"
import type { ReplyState, Protocol } from "../protocol.ts"

/**
 * Reads an error response and classifies it. `now` is for a `Retry-After` with a date. Only an abort of the caller's `signal` is
 * thrown; if the body ends otherwise, the status still counts.
 */
export async function readRefusal<State extends ReplyState>(
  protocol: Protocol<State>,
  response: TransportResponse,
  context: RequestContext,
  now: number,
  signal: AbortSignal,
): Promise<FailureError> {
  const { status, headers } = response
  const text = await readText(response.body, signal)
  if (status < 400) return new FailureError(notHere(status, headers["location"], context))
  const retryAfterMs = retryAfter(headers, now)
  const error = protocol.readError(parseJson(text)) ?? { message: plain(text), code: "" }
  const refusal = { ...error, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return new FailureError(classify(refusal, context))
}

/** Bytes; longer error texts are cut. */
const maxError = 64 * 1024

async function readText(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > maxError) break
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return text
}

function notHere(status: number, location: string | undefined, { model }: RequestContext) {
  const to = location ? ` and points to ${location}` : ""
  const text = `${model.baseUrl} answered ${status}${to}: check the base URL`
  return failure("bad-request", text, { provider: model.provider, status })
}

/** Of a proxy's web page only the title is useful. */
function plain(text: string): string {
  if (!/^\s*</.test(text)) return text
  return /<title>([^<]*)<\/title>/i.exec(text)?.[1]?.trim() || "a web page instead of an API"
}
