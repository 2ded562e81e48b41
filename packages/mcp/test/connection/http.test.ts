import assert from "node:assert/strict"
import { test } from "node:test"
import { failure, FailureError, isRecord, type TransportRequest } from "@gong/spec"
import { manualClock } from "@gong/testing/sim/clock"
import { connect } from "../../src/connection/connect.ts"
import { LoginNeeded } from "../../src/oauth/login-needed.ts"

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

const result = (id: unknown, value: unknown): Answer => ({
  headers: { "content-type": "application/json" },
  text: JSON.stringify({ jsonrpc: "2.0", id, result: value }),
})

const initialized = {
  protocolVersion: "2025-11-25",
  serverInfo: { name: "fixture", version: "1" },
  capabilities: { tools: {} },
}

/** The answer of a server of revision 2025-11-25 to a message. */
function usual(message: Readonly<Record<string, unknown>>): Answer {
  const { id, method } = message
  if (method === "initialize") return result(id, initialized)
  if (id === undefined) return { status: 202 }
  return {
    headers: { "content-type": "application/json" },
    text: JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_601, message: `no method ${String(method)}` } }),
  }
}

/** Connects to a server that answers like this. `asked`: the methods in order. */
function open(answer: (message: Readonly<Record<string, unknown>>) => Answer, kind: "http" | "sse" = "http") {
  const asked: string[] = []
  const send = async ({ method, body }: TransportRequest) => {
    const text = Buffer.concat(body).toString()
    const message: unknown = text === "" ? {} : JSON.parse(text)
    asked.push(isRecord(message) && typeof message["method"] === "string" ? message["method"] : method)
    const {
      status = 200,
      headers = {},
      text: given = "",
    } = method === "POST" && isRecord(message) ? answer(message) : { status: 405 }
    return {
      status,
      headers,
      body: (async function* () {
        if (given !== "") yield Buffer.from(given)
      })(),
    }
  }
  const events = {
    roots: () => [],
    elicit: async () => ({ action: "cancel" as const }),
    onChanged: () => undefined,
    log: () => undefined,
    onClosed: () => undefined,
  }
  const connection = connect(
    {
      kind,
      url: new URL("https://a.example/mcp"),
      headers: {},
      network: { server: { send }, elsewhere: { send } },
      login: { token: async () => undefined },
    },
    events,
    { version: "0", clock: manualClock(), era: null, signal: new AbortController().signal },
  )
  connection.catch(() => undefined)
  return { asked, connection }
}

const rejected = async (work: Promise<unknown>): Promise<Error> => {
  const error = await work.then(
    () => assert.fail("it has not failed"),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Error)
  return error
}

test("a server over HTTP is connected, and says what it offers", async () => {
  const { connection } = open(usual)
  const { era, revision, title, offers, close } = await connection
  assert.deepEqual(
    [era, revision, title, offers],
    [{ kind: "legacy" }, "2025-11-25", "fixture 1", { tools: true, prompts: false, resources: false }],
  )
  await close()
})

test("a server over HTTP that fails is not asked again as one of an earlier revision", async () => {
  const { asked, connection } = open(() => ({ status: 500, text: "out of order" }))
  const { message } = await rejected(connection)
  assert.match(message, /out of order/)
  assert.deepEqual(asked, ["server/discover"])
})

test("a server of the older kind over HTTP is asked for its stream of events", async () => {
  const { asked, connection } = open(usual, "sse")
  assert.match((await rejected(connection)).message, /405/)
  assert.deepEqual(asked, ["GET"])
})

test("a refused server requires a login", async () => {
  for (const [answer, scope] of [
    [{ status: 401 }, undefined],
    [{ status: 403, headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="files"' } }, "files"],
  ] as const) {
    const error = await rejected(open(() => answer).connection)
    if (scope === undefined) assert.ok(error instanceof LoginNeeded)
    else assert.equal(error instanceof LoginNeeded ? error.challenge.scope : error.message, scope)
  }
})

test("the text of an error of a call is cut at 500 characters", async () => {
  const { connection } = open((message) =>
    message["method"] === "tools/call" ? { status: 500, text: "x".repeat(600) } : usual(message),
  )
  const { call, close } = await connection
  const options = { signal: new AbortController().signal, time: 60_000, onProgress: () => undefined }
  const { message } = await rejected(call({ name: "a", schema: {} }, {}, options))
  assert.match(message, /: x{500}$/)
  await close()
})

test("a failure of the network keeps its kind", async () => {
  const denied = new FailureError(failure("denied", "not this host"))
  const error = await rejected(
    open(() => {
      throw denied
    }).connection,
  )
  assert.ok(error instanceof FailureError)
  assert.deepEqual([error.failure.kind, error.message], ["denied", "not this host"])
})
