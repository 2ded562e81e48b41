import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { anthropicMessages } from "./model-server/anthropic-messages.ts"
import { answer } from "./model-server/answer.ts"
import { openaiCompletions } from "./model-server/openai-completions.ts"
import type { Turn } from "./model-server/turn.ts"
import type { Wire } from "./model-server/wire.ts"
import type { OpenAIExtensions } from "./validator/openai-completions.ts"

export type { Fault, PlayedCall, PlayedUsage, Turn } from "./model-server/turn.ts"

/** A turn, or a function that makes it from the request it answers. */
export type ScriptedTurn = Turn | ((request: RecordedRequest) => Turn)

export interface ModelServerOptions {
  readonly turns?: readonly ScriptedTurn[]
  /** Plays when the turns are used up; without it such a request is refused and remembered as a problem. */
  readonly otherwise?: ScriptedTurn
  readonly port?: number
  /** Default true: what the real API would refuse is refused here, and stands in `problems`. */
  readonly validate?: boolean
  /** Default true; `false` drops the bodies, for long measurements. Nothing is validated then. */
  readonly bodies?: boolean
  /** Fields beyond OpenAI's own that this server takes. */
  readonly extensions?: OpenAIExtensions
}

export interface RecordedRequest {
  readonly api: string
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parsed; null when it was not JSON or bodies are dropped. */
  readonly body: unknown
  readonly bytes: number
  /** What is wrong with it. */
  readonly problems: readonly string[]
  /** Number of its connection, from 1. */
  readonly connection: number
  /** Milliseconds on the machine's monotonic clock, the same in all processes: the request's head has come. */
  readonly at: number
  /** The last byte of the reply was given to the system; null while it runs or when it broke off. */
  endedAt: number | null
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  readonly url: string
  /** Asks of a model only, in order of arrival. */
  readonly requests: readonly RecordedRequest[]
  /** Everything a test must not see: invalid requests, requests beyond the script, unknown paths. */
  readonly problems: readonly string[]
  /** Turns that were not asked for yet. */
  readonly left: number
  /** Forgets all and begins a new script. */
  begin(turns: readonly ScriptedTurn[]): void
  close(): Promise<void>
}

/** A model on loopback for tests: plays scripted turns in the wire formats, with faults, and judges every request. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state = newState(options)
  const http = process.getBuiltinModule("node:http")
  const server = http.createServer({ noDelay: true }, (request, response) => {
    handle(state, request, response).catch((error: unknown) => {
      state.problems.push(`the model server failed: ${String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    problems: state.problems,
    get left() {
      return state.turns.length
    },
    begin: (turns) => begin(state, turns),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface State {
  readonly options: ModelServerOptions
  readonly wires: readonly Wire[]
  readonly requests: RecordedRequest[]
  readonly problems: string[]
  readonly connections: WeakMap<object, number>
  connected: number
  turns: ScriptedTurn[]
  played: number
}

function newState(options: ModelServerOptions): State {
  return {
    options,
    wires: [openaiCompletions(options.extensions ?? {}), anthropicMessages],
    requests: [],
    problems: [],
    connections: new WeakMap(),
    connected: 0,
    turns: [...(options.turns ?? [])],
    played: 0,
  }
}

function begin(state: State, turns: readonly ScriptedTurn[]): void {
  state.requests.length = 0
  state.problems.length = 0
  state.turns = [...turns]
}

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = monotonic()
  const path = (request.url ?? "/").replace(/\?.*/, "")
  const { bytes, text } = await readBody(request, state.options.bodies !== false || path.startsWith("/__"))
  if (path === "/__log") return sendJson(response, 200, logOf(state))
  if (path === "/__script") {
    begin(state, (JSON.parse(text) as { turns: Turn[] }).turns)
    return sendJson(response, 200, {})
  }
  if (path.endsWith("/models"))
    return sendJson(response, 200, { object: "list", data: [{ id: "mock", object: "model" }] })
  const wire = state.wires.find((one) => one.serves(path))
  if (wire === undefined || request.method !== "POST") {
    state.problems.push(`${request.method} ${path}: nothing is served here`)
    return sendJson(response, 404, { error: { message: `Unknown path ${path}`, type: "invalid_request_error" } })
  }
  const record = recordOf(state, wire, request, { path, at, bytes, text })
  response.once("finish", () => {
    record.endedAt = monotonic()
  })
  return reply(state, wire, record, response)
}

async function reply(state: State, wire: Wire, record: RecordedRequest, response: ServerResponse): Promise<void> {
  if (record.problems.length > 0) {
    state.problems.push(
      ...record.problems.map((problem) => `${record.api} request ${state.requests.length}: ${problem}`),
    )
    return sendJson(response, 400, wire.refusal(400, record.problems.join("; "), undefined))
  }
  const scripted = state.turns.shift() ?? state.options.otherwise
  if (scripted === undefined) {
    state.problems.push(`request ${state.requests.length} is beyond the script`)
    return sendJson(response, 400, wire.refusal(400, "The script of this model server is over", undefined))
  }
  const turn = typeof scripted === "function" ? scripted(record) : scripted
  return answer(response, wire, turn, { number: ++state.played, body: record.body })
}

function recordOf(
  state: State,
  wire: Wire,
  request: IncomingMessage,
  got: { readonly path: string; readonly at: number; readonly bytes: number; readonly text: string },
): RecordedRequest {
  const keep = state.options.bodies !== false
  const body = keep ? parsed(got.text) : null
  const record: RecordedRequest = {
    api: wire.api,
    method: request.method ?? "",
    path: got.path,
    headers: request.headers,
    body,
    bytes: got.bytes,
    problems: keep && state.options.validate !== false ? wire.validate(body, request.headers) : [],
    connection: connectionOf(state, request.socket),
    at: got.at,
    endedAt: null,
  }
  state.requests.push(record)
  return record
}

function connectionOf(state: State, socket: object): number {
  const known = state.connections.get(socket)
  if (known !== undefined) return known
  state.connections.set(socket, ++state.connected)
  return state.connected
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function logOf(state: State): object {
  const requests = state.requests.map(({ body: _, headers: __, ...rest }) => rest)
  return { requests, problems: state.problems, left: state.turns.length }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
}

function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** `node testing/src/model-server.ts [--script FILE] [--port N] [--no-bodies]` prints its URL and serves until it is ended. */
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
