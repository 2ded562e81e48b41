import {
  Client,
  type ElicitRequestParams,
  type ElicitResult,
  type AuthProvider,
  InsufficientScopeError,
  type PriorDiscovery,
  type Progress,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport as ClientTransport,
  UnauthorizedError,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/client"
import { type Clock, failure, FailureError, isRecord, phrase } from "@gong/spec"
import { LoginNeeded } from "../oauth/login-needed.ts"
import { limits, times } from "../definitions/limits.ts"
import { bounded } from "./bounded.ts"
import { callAsTask } from "./task.ts"
import { fetchOver, type ServerNetwork } from "./fetch.ts"
import { type StartProgram, StdioTransport } from "./stdio.ts"

/** How a server is reached. */
export type Endpoint =
  | { readonly kind: "stdio"; start: StartProgram }
  | {
      readonly kind: "http" | "sse"
      readonly url: URL
      /** The configured ones. */
      readonly headers: Readonly<Record<string, string>>
      readonly network: ServerNetwork
      readonly login: AuthProvider | null
    }

/** The revision that a server speaks, as it was found by an earlier connection; plain data. */
export type Era = PriorDiscovery

export interface ConnectionEvents {
  /** The roots of the session, as `file:` addresses. */
  roots(): readonly string[]
  /** A question of the server to the user. */
  elicit(asked: ElicitRequestParams): Promise<ElicitResult>
  /** The server says that a list has changed. */
  onChanged(list: "tools" | "prompts" | "resources"): void
  /** One line for the debug log. */
  log(line: string): void
  /** The connection has ended by itself; a sentence fragment. */
  onClosed(why: string): void
}

export interface ConnectOptions {
  /** Gong's version. */
  readonly version: string
  readonly clock: Clock
  readonly era: Era | null
  readonly signal: AbortSignal
}

export interface CallOptions {
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly time: number
  onProgress(text: string): void
}

/** What is called: the name and schema as the server defined them. */
export interface CalledTool {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly needsTask?: true
}

/** An open connection. Lists and results are unchecked. */
export interface Connection {
  readonly era: Era
  /** `2026-07-28` or an earlier revision. */
  readonly revision: string
  /** Its own name and version, for people. */
  readonly title: string
  readonly offers: { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean }
  tools(signal: AbortSignal): Promise<readonly unknown[]>
  prompts(signal: AbortSignal): Promise<readonly unknown[]>
  resources(signal: AbortSignal): Promise<readonly unknown[]>
  prompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>
  resource(uri: string, options: CallOptions): Promise<unknown>
  call(tool: CalledTool, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown>
  close(): Promise<void>
}

/** Connects; rejects with a FailureError, or with LoginNeeded. */
export async function connect(
  endpoint: Endpoint,
  events: ConnectionEvents,
  options: ConnectOptions,
): Promise<Connection> {
  const { era } = options
  try {
    return await attempt(endpoint, events, options)
  } catch (error) {
    if (options.signal.aborted || error instanceof LoginNeeded) throw error
    // Some servers of revision 2025-11-25 end at the unknown first request. A remembered era may be out of date.
    if (era !== null) return attempt(endpoint, events, { ...options, era: null })
    if (endpoint.kind !== "stdio") throw error
    return attempt(endpoint, events, { ...options, era: { kind: "legacy" } })
  }
}

async function attempt(endpoint: Endpoint, events: ConnectionEvents, options: ConnectOptions): Promise<Connection> {
  const client = clientFor(endpoint, events, options)
  const transport = transportFor(endpoint, options)
  const { signal, era } = options
  const endTransport = async (): Promise<void> => transport.close().catch(() => undefined)
  const onAbort = (): void => void endTransport()
  // The client library does not look at the signal while it probes for the revision.
  signal.addEventListener("abort", onAbort)
  try {
    await client.connect(bounded(transport), { signal, timeout: times.start, ...(era && { prior: era }) })
  } catch (error) {
    await endTransport()
    throw failed(error, endOf(transport))
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
  let open = true
  client.onerror = (error) => events.log(error.message)
  client.onclose = () => {
    if (open) events.onClosed(endOf(transport) ?? "the connection was closed")
    open = false
  }
  const close = async (): Promise<void> => {
    open = false
    await transport.close()
    await client.close()
  }
  return connectionOf(client, () => endOf(transport), close)
}

function clientFor(
  { kind }: Endpoint,
  { roots, elicit, onChanged, log }: ConnectionEvents,
  { version, era }: ConnectOptions,
): Client {
  const changed = (list: "tools" | "prompts" | "resources") => ({
    autoRefresh: false,
    debounceMs: times.relist,
    onChanged: () => onChanged(list),
  })
  const client = new Client(
    { name: "gong", title: "Gong", version },
    {
      capabilities: { roots: {}, elicitation: { form: { applyDefaults: true }, url: {} } },
      versionNegotiation: { mode: "auto", ...(kind === "stdio" && { probe: { timeoutMs: times.probe } }) },
      inputRequired: { maxRounds: limits.rounds },
      listChanged: { tools: changed("tools"), prompts: changed("prompts"), resources: changed("resources") },
      listMaxPages: limits.pages,
      // Schemas of results are not used: a validator would run patterns of the server.
      jsonSchemaValidator: { getValidator: () => acceptAll },
      responseCacheStore: noCache,
    },
  )
  client.setRequestHandler("roots/list", () => ({ roots: roots().map((uri) => ({ uri })) }))
  client.setRequestHandler("elicitation/create", async ({ params }) => elicit(params))
  client.setNotificationHandler("notifications/message", ({ params: { level, data } }) =>
    log(`${level}: ${typeof data === "string" ? data : JSON.stringify(data)}`),
  )
  // Errors before the connection; `prior` skips the probe that would report them.
  client.onerror = (error) => log(`${era?.kind ?? "first"} connection: ${error.message}`)
  return client
}

const acceptAll = (value: unknown) => ({ valid: true as const, data: value as never, errorMessage: undefined })
const noCache = {
  get: () => undefined,
  set: () => 0,
  delete: () => undefined,
  evict: () => undefined,
  clear: () => undefined,
}

function transportFor(endpoint: Endpoint, { clock }: ConnectOptions): ClientTransport {
  if (endpoint.kind === "stdio") return new StdioTransport(endpoint.start, clock)
  const { kind, url, headers, network, login } = endpoint
  const options = { fetch: fetchOver(network, url, headers), ...(login && { authProvider: login }) }
  return kind === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)
}

/** Why the program of a server has ended; null while it runs, and for a server over HTTP. */
function endOf(transport: ClientTransport): string | null {
  return transport instanceof StdioTransport ? transport.ended : null
}

function connectionOf(client: Client, end: () => string | null, close: () => Promise<void>): Connection {
  const discover = client.getDiscoverResult()
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
  const { name = "", version = "" } = client.getServerVersion() ?? {}
  const asked = async <T>(options: RequestOptions, work: (options: RequestOptions) => Promise<T>): Promise<T> => {
    try {
      return await work(options)
    } catch (error) {
      throw failed(error, end(), options.timeout)
    }
  }
  const listing = (signal: AbortSignal) => ({ signal, timeout: times.start, maxTotalTimeout: times.start })
  return {
    era: discover === undefined ? { kind: "legacy" } : { kind: "modern", discover },
    revision: client.getNegotiatedProtocolVersion() ?? "",
    title: `${name} ${version}`.trim(),
    offers: { tools: tools !== undefined, prompts: prompts !== undefined, resources: resources !== undefined },
    tools: (signal) => asked(listing(signal), async (options) => (await client.listTools({}, options)).tools),
    prompts: (signal) => asked(listing(signal), async (options) => (await client.listPrompts({}, options)).prompts),
    resources: (signal) =>
      asked(listing(signal), async (options) => (await client.listResources({}, options)).resources),
    prompt: (name_, args, signal) =>
      asked(listing(signal), (options) => client.getPrompt({ name: name_, arguments: { ...args } }, options)),
    resource: (uri, given) => asked(requestOptions(given), (options) => client.readResource({ uri }, options)),
    call: (tool, args, given) =>
      asked(requestOptions(given), (options) => {
        if (tool.needsTask && client.getProtocolEra() === "legacy") return callAsTask(client, tool.name, args, options)
        const toolDefinition = { name: tool.name, inputSchema: { ...tool.schema, type: "object" as const } }
        return client.callTool({ name: tool.name, arguments: { ...args } }, { ...options, toolDefinition })
      }),
    close,
  }
}

interface RequestOptions {
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly timeout: number
  readonly maxTotalTimeout: number
  readonly onprogress?: (progress: Progress) => void
}

function requestOptions({ signal, time, onProgress }: CallOptions): RequestOptions {
  return {
    signal,
    timeout: time,
    maxTotalTimeout: time,
    onprogress: ({ progress, total, message }: Progress) =>
      onProgress(`${[message, total === undefined ? progress : `${progress}/${total}`].filter(Boolean).join(" ")}\n`),
  }
}

/** The error as a failure; the text of a server is data in it. `time`: milliseconds after which the request has ended. */
function failed(error: unknown, ended: string | null, time: number = times.start): Error {
  if (error instanceof FailureError || error instanceof LoginNeeded) return error
  if (error instanceof UnauthorizedError) return new LoginNeeded({})
  if (error instanceof InsufficientScopeError) return loginFor(error)
  if (error instanceof UrlElicitationRequiredError) {
    const urls = error.elicitations.map(({ url }) => url).join(", ")
    return new FailureError(failure("denied", phrase`the server wants the user to open ${urls} first`))
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout && ended === null)
    return new FailureError(failure("stalled", phrase`the server did not answer within ${time / 1_000} s`))
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  if (cause instanceof FailureError || cause instanceof LoginNeeded) return cause
  const data = isRecord(error) && isRecord(error["data"]) ? error["data"] : {}
  const detail = typeof data["text"] === "string" ? `: ${data["text"].slice(0, 500)}` : ""
  // An answer of the server has a number; the library ends a server that refused the connection.
  const isAnswer = isRecord(error) && typeof error["code"] === "number"
  const text = ended === null || isAnswer ? `${message}${detail}` : phrase`the server is gone: ${ended}`
  return new FailureError(failure("network", text, { cause: error }))
}

function loginFor({ requiredScope, resourceMetadataUrl }: InsufficientScopeError): LoginNeeded {
  return new LoginNeeded({ scope: requiredScope, resourceMetadataUrl })
}

export { fetchOver } from "./fetch.ts"
export { sessionTokens } from "../oauth/tokens.ts"
export { login } from "../oauth/login.ts"
