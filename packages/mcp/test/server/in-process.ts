import { createServer, type ServerRecord, type StartProgram } from "@gong/mcp"
import { type Clock, isRecord } from "@gong/spec"

/** A server of revision 2025-11-25 in this process. */
export interface InProcess {
  readonly start: StartProgram
  /** Starts so far. */
  readonly starts: number
  readonly running: boolean
  /** Methods in the order of their arrival. */
  readonly received: readonly string[]
  /** Answers to its own requests in the order of their arrival. */
  readonly replies: readonly Readonly<Record<string, unknown>>[]
  /** Sends a message to the client. */
  send(message: object): void
  /** It ends, as if killed. */
  die(): void
}

/** `answer` gives the result of a request; undefined: it is never answered; a thrown error ends the server. */
export function inProcess(answer: (method: string, params: unknown, id: unknown) => unknown = answers): InProcess {
  let starts = 0
  let current: { readonly end: (why: string) => void } | null = null
  const received: string[] = []
  const replies: Readonly<Record<string, unknown>>[] = []
  let send = (_: object): void => undefined
  const start: StartProgram = async ({ onOutput, onEnd }) => {
    starts += 1
    const own = {
      end(why: string) {
        if (current !== own) return
        current = null
        onEnd(why)
      },
    }
    current = own
    send = (message) => onOutput(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`))
    const respond = (given: Readonly<Record<string, unknown>>): void => {
      const { id, method, params } = given
      if (typeof method !== "string") return void replies.push(given)
      received.push(method)
      try {
        const result = answer(method, params, id)
        const message =
          result instanceof Error ? { error: { code: -32_601, message: result.message } } : result && { result }
        if (id !== undefined && message !== undefined) send({ id, ...(message as object) })
      } catch {
        own.end("it ended with status 3")
      }
    }
    return {
      write(text) {
        for (const line of text.split("\n").filter((one) => one !== "")) {
          const message: unknown = JSON.parse(line)
          if (isRecord(message)) setImmediate(() => current === own && respond(message))
        }
        return current === own
      },
      async end() {
        own.end("it was ended")
      },
    }
  }
  return {
    start,
    get starts() {
      return starts
    },
    get running() {
      return current !== null
    },
    received,
    replies,
    send: (message) => send(message),
    die: () => current?.end("it ended with signal SIGKILL"),
  }
}

/** The answers of a server with one tool. */
export function answers(method: string): unknown {
  if (method === "initialize")
    return {
      protocolVersion: "2025-11-25",
      serverInfo: { name: "fixture", version: "1" },
      capabilities: { tools: { listChanged: true } },
    }
  if (method === "tools/list")
    return { tools: [{ name: "echo", description: "Echo.", inputSchema: { type: "object" } }] }
  if (method === "tools/call") return { content: [{ type: "text", text: "called" }] }
  return method.startsWith("notifications/") ? undefined : new Error(`no method ${method}`)
}

/** The guard over such a server, without a login. */
export function guardOf({ start }: InProcess, clock: Clock, name = "fixture") {
  let record: ServerRecord | null = null
  return createServer({
    name,
    version: "0",
    clock,
    record: { load: () => record, save: (next) => void (record = next) },
    endpoint: async () => ({ kind: "stdio", start }),
    roots: () => [],
    login: null,
    callTime: 600_000,
    log: () => undefined,
    onChanged: () => undefined,
  })
}
