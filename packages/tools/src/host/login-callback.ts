import type { Server } from "node:http"

/** The port that is tried first, so that a registered client stays valid. */
const usualPort = 41_127
const path = "/callback"

/** The address on this machine to which a browser returns after a login. */
export interface LoginCallback {
  readonly url: string
  /** The parameters of the return whose `state` is this one. Rejects if the signal aborts. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>
  close(): void
}

/** Listens on this machine for the return of the browser. Requests to another host name or path are refused. */
export async function openCallback(): Promise<LoginCallback> {
  const { createServer } = process.getBuiltinModule("node:http")
  const waiting = new Map<string, (found: URLSearchParams) => void>()
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? "/", "http://localhost")
    const { port } = addressOf(server)
    const isOwn = [`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? "")
    const found = address.searchParams
    const receive = waiting.get(found.get("state") ?? "")
    const known = request.method === "GET" && isOwn && address.pathname === path && receive !== undefined
    response.writeHead(known ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" })
    response.end(known ? "Gong has received the answer. You can close this page.\n" : "not found\n")
    if (known) receive(found)
  })
  server.requestTimeout = 10_000
  server.maxConnections = 16
  await listen(server, usualPort).catch(() => listen(server, 0))
  server.unref()
  return {
    url: `http://127.0.0.1:${addressOf(server).port}${path}`,
    wait(state, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>()
      waiting.set(state, resolve)
      const stop = (): void => reject(signal.reason as Error)
      if (signal.aborted) stop()
      else signal.addEventListener("abort", stop, { once: true })
      return promise
    },
    close: () => void server.close(),
  }
}

function listen(server: Server, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once("error", reject)
  server.listen(port, "127.0.0.1", () => {
    server.off("error", reject)
    resolve()
  })
  return promise
}

function addressOf(server: Server): { readonly port: number } {
  const address = server.address()
  return typeof address === "object" && address !== null ? address : { port: 0 }
}
