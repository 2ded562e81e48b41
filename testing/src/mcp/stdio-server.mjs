// An MCP server of revision 2025-11-25 over stdio, written by hand: `stdio-server.mjs FILE`. The file says what it offers and
// how it answers, and is read anew for each message, so that a test can change it while the server runs. Each message that it
// receives is a line of FILE.log.
import { appendFileSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"

const file = process.argv[2]
const offer = () => JSON.parse(readFileSync(file, "utf8"))
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
appendFileSync(`${file}.log`, `${JSON.stringify({ started: process.pid, env: process.env, cwd: process.cwd() })}\n`)

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line)
  appendFileSync(`${file}.log`, `${line}\n`)
  const { id, method, params = {} } = message
  const { tools = [], prompts, resources, results = {}, before, exitAt, notify = [] } = offer()
  if (exitAt === method) process.exit(3)
  if (before !== undefined) process.stderr.write(before)
  for (const one of notify) send(one)
  switch (method) {
    case "initialize":
      return send({
        id,
        result: {
          protocolVersion: "2025-11-25",
          serverInfo: { name: "fixture", version: "1.0.0" },
          capabilities: {
            tools: { listChanged: true },
            ...(prompts && { prompts: {} }),
            ...(resources && { resources: {} }),
          },
        },
      })
    case "tools/list":
      return send({ id, result: { tools } })
    case "prompts/list":
      return send({ id, result: { prompts } })
    case "resources/list":
      return send({ id, result: { resources } })
    case "resources/read":
      return send({ id, result: { contents: [{ uri: params.uri, text: `text of ${params.uri}` }] } })
    case "prompts/get":
      return send({
        id,
        result: { messages: [{ role: "user", content: { type: "text", text: `prompt ${JSON.stringify(params)}` } }] },
      })
    case "tools/call": {
      const answer = results[params.name] ?? {
        content: [{ type: "text", text: `called ${params.name} ${JSON.stringify(params.arguments)}` }],
      }
      return send(answer.error === undefined ? { id, result: answer } : { id, error: answer.error })
    }
    default:
      if (id !== undefined && method !== undefined)
        send({ id, error: { code: -32601, message: `no method ${method}` } })
  }
})
