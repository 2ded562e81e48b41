import type { ServerResponse } from "node:http"
import type { Action } from "./actions.ts"

/**
 * Performs the actions on a socket. Resolves when nothing more will be sent; a stalled reply resolves when the connection is
 * closed. `apart`: each chunk is flushed before the next is created, so that the client receives them one by one.
 */
export async function send(
  response: ServerResponse,
  actions: Iterable<Action>,
  options: { readonly apart: boolean },
): Promise<void> {
  let begun = false
  for (const action of actions) {
    if (response.destroyed) return
    switch (action.kind) {
      case "head":
        begun = true
        response.writeHead(action.status, action.headers)
        break
      case "bytes":
        if (!response.write(action.bytes)) await drained(response)
        if (options.apart) await soon()
        break
      case "wait":
        await pause(action.ms)
        break
      case "stall":
        if (begun) response.flushHeaders()
        return left(response)
      case "drop":
        if (begun) response.flushHeaders()
        await soon()
        response.destroy()
        return
    }
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done)
      resolve()
    }
    response.on("drain", done).on("close", done)
  })
}

/** Resolves when either side closes the connection. */
function left(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  return new Promise((resolve) => response.once("close", resolve))
}

/** Resolves after written data was passed to the socket. */
function soon(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
