import { failure, FailureError, parseJson, type TransportResponse } from "@gong/spec"
import { type RequestContext, classify } from "./classify.ts"
import { retryAfter } from "./retry-after.ts"
import type { ReplyState, Protocol } from "../protocol.ts"

/**
 * Reads an answer that is not a reply and says why. `now` is for a `Retry-After` that names a date; `signal` is that of who
 * asked, and nothing else that ends the body takes its status away.
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
  const said = protocol.readError(parseJson(text)) ?? { message: plain(text), code: "" }
  const refusal = { ...said, status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  return new FailureError(classify(refusal, context))
}

/** No explanation is longer, in bytes. */
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

/** A proxy's web page says little more than its title. */
function plain(text: string): string {
  if (!/^\s*</.test(text)) return text
  return /<title>([^<]*)<\/title>/i.exec(text)?.[1]?.trim() || "a web page instead of an API"
}
