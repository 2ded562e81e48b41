import {
  type Clock,
  failure,
  FailureError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "@gong/spec"
import type { Action } from "../model-server/actions.ts"
import { createPlayer, type Player, type PlayerOptions } from "../model-server/player.ts"

export interface SimTransport extends Transport, Pick<Player, "requests" | "problems" | "left" | "begin"> {}

/** The model server without a socket: the same scripts, faults and validation, in simulated time. */
export function simTransport(options: PlayerOptions & { readonly clock: Clock }): SimTransport {
  const player = createPlayer(options)
  const { clock } = options
  let connection = 0

  async function send(request: TransportRequest): Promise<TransportResponse> {
    request.signal.throwIfAborted()
    const body = Buffer.concat(request.body)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const path = new URL(request.url).pathname
    const incoming = {
      method: request.method,
      path,
      headers,
      bytes: body.length,
      connection: ++connection,
      at: clock.now(),
    }
    const { actions, record } = player.take(incoming, body.toString("utf8"))
    const rest = actions[Symbol.iterator]()
    const first = rest.next()
    if (first.done === true || first.value.kind !== "head") return noHead(first.value?.kind, request)
    const ended = () => {
      if (record !== undefined) record.endedAt = clock.now()
    }
    return { status: first.value.status, headers: first.value.headers, body: bodyOf(rest, request, clock, ended) }
  }

  return {
    send,
    requests: player.requests,
    problems: player.problems,
    get left() {
      return player.left
    },
    begin: (turns) => player.begin(turns),
  }
}

async function noHead(kind: Action["kind"] | undefined, request: TransportRequest): Promise<never> {
  if (kind === "stall") await aborted(request.signal)
  throw broken(request)
}

async function* bodyOf(
  actions: Iterator<Action>,
  request: TransportRequest,
  clock: Clock,
  ended: () => void,
): AsyncGenerator<Uint8Array> {
  for (let step = actions.next(); step.done !== true; step = actions.next()) {
    request.signal.throwIfAborted()
    const action = step.value
    if (action.kind === "bytes") yield action.bytes
    if (action.kind === "wait") await clock.sleep(action.ms, request.signal)
    if (action.kind === "stall") await aborted(request.signal)
    if (action.kind === "drop") throw broken(request)
  }
  ended()
}

function broken(request: TransportRequest): FailureError {
  return new FailureError(failure("network", `${new URL(request.url).host} closed the connection`))
}

/** Rejects with the signal's reason, and never resolves. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener("abort", abort, { once: true })
  })
}
