// A client for the conformance suite, over the same code that a session uses: `client.ts SERVER-URL`, with the scenario in
// MCP_CONFORMANCE_SCENARIO. It plays the user: it consents to logins, and answers questions with their defaults.
import { createServer, type CallContext, type ServerRecord } from "@gong/mcp"
import { fetchOver, type ServerNetwork } from "../../src/connection/fetch.ts"
import type { ClientOptions } from "../../src/oauth/login.ts"
import type { LoginStore, StoredLogin } from "../../src/oauth/stored-login.ts"
import { login } from "../../src/oauth/login.ts"
import { sessionTokens } from "../../src/oauth/tokens.ts"
import { createTransport } from "@gong/llm/transport"
import { systemClock } from "@gong/app/ports"

const url = new URL(process.argv.at(-1) ?? "")
const given = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as Record<string, unknown>
const transport = createTransport({ env: {} })
const network: ServerNetwork = { server: transport, elsewhere: transport }
const fetch = fetchOver(network, url, {})
let stored: StoredLogin | null = null
const store: LoginStore = {
  read: async () => stored,
  async update(work) {
    const next = await work(stored)
    if (next !== undefined) stored = next
    return stored
  },
}

const client: ClientOptions = {
  ...(typeof given["client_id"] === "string" && { clientId: given["client_id"] }),
  ...(typeof given["client_secret"] === "string" && { clientSecret: given["client_secret"] }),
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
}

/** The address to which the authorization server sends the browser back. */
let returned: URL | null = null
let record: ServerRecord | null = null
let logins = 0

const server = createServer({
  name: "conformance",
  version: "0.1.0",
  clock: systemClock,
  record: { load: () => record, save: (next) => void (record = next) },
  endpoint: async () => ({
    kind: "http",
    url,
    headers: {},
    network,
    login: sessionTokens({ store, clock: systemClock, fetch }),
  }),
  roots: () => [],
  async login(challenge, signal) {
    const state = `state-${(logins += 1)}`
    await login({
      server: url,
      store,
      fetch,
      clock: systemClock,
      callback: {
        url: "http://127.0.0.1:4097/callback",
        wait: async () => returned?.searchParams ?? new URLSearchParams(),
      },
      client,
      challenge,
      state,
      async show(address) {
        const response = await globalThis.fetch(address, { redirect: "manual" })
        returned = new URL(response.headers.get("location") ?? "", address)
      },
      signal,
    })
  },
  callTime: 60_000,
  log: (line) => process.stderr.write(`${line}\n`),
  onChanged: () => undefined,
})

const context: CallContext = {
  signal: new AbortController().signal,
  session: 0,
  onProgress: () => undefined,
  async ask({ question, choices }) {
    process.stderr.write(`${question}\n`)
    const wanted = ["yes", "(skip)"].find((label) => choices.some((one) => one.label === label))
    if (wanted !== undefined) return { choice: wanted, by: "user" }
    const [first] = choices
    return first?.label.startsWith("(") === false ? { choice: first.label, by: "user" } : { text: "1", by: "user" }
  },
}

const keepAlive = setInterval(() => undefined, 1_000)
let failed = false
try {
  await server.start(context)
  for (const tool of server.tools() ?? []) {
    process.stderr.write(`call ${tool.name}\n`)
    await server.call(tool.name, argumentsFor(tool.name), context).catch((error: unknown) => {
      process.stderr.write(`${tool.name}: ${String(error)}\n`)
    })
  }
} catch (error) {
  failed = true
  process.stderr.write(`${String(error)}\n`)
}
await server.end()
clearInterval(keepAlive)
process.exitCode = failed ? 1 : 0

function argumentsFor(tool: string): Record<string, unknown> {
  const calls = Array.isArray(given["toolCalls"])
    ? (given["toolCalls"] as { name: string; arguments: Record<string, unknown> }[])
    : []
  const call = calls.find(({ name }) => name === tool)
  if (call) return call.arguments
  const [focal] = server.tools() ?? []
  if (tool === "json_schema_echo") return { schema: focal?.schema }
  return tool === "add_numbers" ? { a: 5, b: 3 } : {}
}
