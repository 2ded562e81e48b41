import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { request as secureRequest } from "node:https"
import type { AddressInfo } from "node:net"

/** What an agent asked of its model. */
export interface Usage {
  /** Requests for replies. */
  readonly turns: number
  /** Tool calls in replies. */
  readonly calls: number
  /** Tokens as the server counts them; null if it does not. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Bytes of the first request. */
  readonly firstRequestBytes: number | null
}

/** A proxy on loopback in front of a model server: whichever agent is measured, the same numbers are counted in the same way. */
export interface Meter {
  /** To be used instead of the base URL of the server. */
  readonly baseUrl: string
  usage(): Usage
  close(): Promise<void>
}

/** `baseUrl`: an OpenAI-compatible one, `http://127.0.0.1:8080/v1`. `key`: sent instead of the agent's; null: none. */
export async function startMeter(baseUrl: string, key: string | null): Promise<Meter> {
  const target = new URL(baseUrl)
  const counts = { turns: 0, calls: 0, input: 0, output: 0, counted: false, first: null as number | null }
  const server = createServer((incoming, response) => {
    forward(target, key, incoming, response, counts).catch(() => response.destroy())
  })
  const port = await listen(server)
  return {
    baseUrl: `http://127.0.0.1:${port}${target.pathname.replace(/\/$/, "")}`,
    usage: () => ({
      turns: counts.turns,
      calls: counts.calls,
      inputTokens: counts.counted ? counts.input : null,
      outputTokens: counts.counted ? counts.output : null,
      firstRequestBytes: counts.first,
    }),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

interface Counts {
  turns: number
  calls: number
  input: number
  output: number
  counted: boolean
  first: number | null
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

async function forward(
  target: URL,
  key: string | null,
  incoming: IncomingMessage,
  response: ServerResponse,
  counts: Counts,
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const body = Buffer.concat(parts)
  const isReply = incoming.method === "POST" && /\/(chat\/completions|responses)$/.test(incoming.url ?? "")
  if (isReply) {
    counts.turns += 1
    counts.first ??= body.length
  }
  const headers: Record<string, string | string[] | undefined> = { ...incoming.headers, host: target.host }
  delete headers["authorization"]
  delete headers["accept-encoding"]
  if (key !== null) headers["authorization"] = `Bearer ${key}`
  const send = target.protocol === "https:" ? secureRequest : request
  const outgoing = send(new URL(incoming.url ?? "/", target.origin), { method: incoming.method ?? "GET", headers })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve).once("error", reject).end(body)
  })
  response.once("close", () => outgoing.destroy())
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  const texts: Buffer[] = []
  for await (const part of answer) {
    texts.push(part as Buffer)
    response.write(part)
  }
  response.end()
  if (isReply) count(Buffer.concat(texts).toString("utf8"), counts)
}

/** Calls and usage of a reply, streamed or whole, in either of OpenAI's formats. */
function count(reply: string, counts: Counts): void {
  const events = reply.startsWith("{") ? [reply] : [...reply.matchAll(/^data: ?(\{.*)$/gm)].map(([, json = ""]) => json)
  const ids = new Set<string>()
  let usage: Record<string, unknown> | null = null
  for (const json of events) {
    const event = parsed(json)
    const choice = (event["choices"] as Record<string, unknown>[] | undefined)?.[0]
    const message = (choice?.["delta"] ?? choice?.["message"]) as Record<string, unknown> | undefined
    for (const call of (message?.["tool_calls"] as Record<string, unknown>[] | undefined) ?? [])
      ids.add(String(call["index"] ?? call["id"]))
    const item = event["item"] as Record<string, unknown> | undefined
    if (event["type"] === "response.output_item.done" && String(item?.["type"]).endsWith("_call"))
      ids.add(String(item?.["call_id"]))
    const response = event["response"] as Record<string, unknown> | undefined
    usage = ((event["usage"] ?? response?.["usage"]) as Record<string, unknown> | null | undefined) ?? usage
  }
  counts.calls += ids.size
  if (usage === null) return
  counts.counted = true
  counts.input += Number(usage["prompt_tokens"] ?? usage["input_tokens"] ?? 0)
  counts.output += Number(usage["completion_tokens"] ?? usage["output_tokens"] ?? 0)
}

function parsed(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch {
    return {}
  }
}
