import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createPlayer, type Player, type PlayerOptions, type ScriptedTurn } from "./model-server/player.ts"
import { send } from "./model-server/send.ts"
import type { Turn } from "./model-server/turn.ts"

export type { RecordedRequest, Routes, ScriptedTurn } from "./model-server/player.ts"
export type { Fault, PlayedCall, PlayedUsage, Turn } from "./model-server/turn.ts"

export interface ModelServerOptions extends PlayerOptions {
  /** Default: any free port. */
  readonly port?: number
  /** Default true; `false` discards the bodies, for long measurements, and validates nothing. */
  readonly bodies?: boolean
}

/** Times in `requests` are milliseconds of the machine's monotonic clock, the same in all its processes. */
export interface ModelServer extends Pick<Player, "requests" | "problems" | "left" | "begin"> {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  readonly url: string
  close(): Promise<void>
}

/** A model on loopback for tests: plays scripted turns in the wire formats, with faults, and validates every request. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const player = createPlayer(options)
  const connectionOf = connectionNumbers()
  const http = process.getBuiltinModule("node:http")
  const server = http.createServer({ noDelay: true }, (request, response) => {
    const connection = connectionOf(request.socket)
    handle(player, request, response, { connection, keepBody: options.bodies !== false }).catch(() =>
      response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: player.requests,
    problems: player.problems,
    get left() {
      return player.left
    },
    begin: (turns) => player.begin(turns),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface HandleOptions {
  readonly connection: number
  readonly keepBody: boolean
}

async function handle(
  player: Player,
  request: IncomingMessage,
  response: ServerResponse,
  options: HandleOptions,
): Promise<void> {
  const at = monotonic()
  const path = (request.url ?? "/").replace(/\?.*/, "")
  const control = path.startsWith("/__")
  const { bytes, text } = await readBody(request, options.keepBody || control)
  if (control) return answerControl(player, path, text, response)
  const incoming = {
    method: request.method ?? "",
    path,
    headers: request.headers,
    bytes,
    connection: options.connection,
    at,
  }
  const { actions, apart, record } = player.take(incoming, options.keepBody ? text : null)
  response.once("finish", () => {
    if (record !== undefined) record.endedAt = monotonic()
  })
  await send(response, actions, { apart })
}

/** For a server in its own process: `/__script` starts a new script, `/__log` returns the requests. */
function answerControl(player: Player, path: string, text: string, response: ServerResponse): void {
  if (path === "/__script") player.begin((JSON.parse(text) as { turns: ScriptedTurn[] }).turns)
  const requests = player.requests.map(({ body: _, headers: __, ...rest }) => rest)
  response.writeHead(200, { "content-type": "application/json" })
  response.end(JSON.stringify({ requests, problems: player.problems, left: player.left }))
}

function connectionNumbers(): (socket: object) => number {
  const numbers = new WeakMap<object, number>()
  let count = 0
  return (socket) => {
    const number = numbers.get(socket) ?? ++count
    numbers.set(socket, number)
    return number
  }
}

async function readBody(request: IncomingMessage, keep: boolean): Promise<{ bytes: number; text: string }> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (keep) parts.push(part)
  }
  return { bytes, text: Buffer.concat(parts).toString("utf8") }
}

function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** `node testing/src/model-server.ts [--script FILE] [--port N] [--no-bodies]` prints its URL and serves until it is terminated. */
async function main(): Promise<void> {
  const { parseArgs } = await import("node:util")
  const { readFileSync } = await import("node:fs")
  const { values } = parseArgs({
    options: { script: { type: "string" }, port: { type: "string" }, "no-bodies": { type: "boolean" } },
  })
  const script: unknown = values.script === undefined ? [] : JSON.parse(readFileSync(values.script, "utf8"))
  const turns = (Array.isArray(script) ? script : (script as { turns: Turn[] }).turns) as Turn[]
  const server = await startModelServer({ turns, port: Number(values.port ?? 0), bodies: values["no-bodies"] !== true })
  console.log(server.url)
}

if (import.meta.main) await main()
