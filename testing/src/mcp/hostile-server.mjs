// A hostile MCP server over stdio: `hostile-server.mjs MODULE CASE`. The case of the module is an object of functions:
// `receive(message, send, raw)` sees each message before the ordinary answers, and returns true where it has answered;
// `tools` are its tools, `result` that of each call.
import { createInterface } from "node:readline"

const [, , module, name] = process.argv
const { attacks } = await import(module)
const attack = attacks[name]
const raw = (text) => process.stdout.write(text)
const send = (message) => raw(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)

createInterface({ input: process.stdin }).on("line", async (line) => {
  const message = JSON.parse(line)
  const { id, method, params = {} } = message
  if (await attack.receive?.(message, send, raw)) return
  const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {}, logging: {} }
  const answers = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "hostile", version: "1" },
      capabilities,
    }),
    "tools/list": () => ({ tools: attack.tools?.(params) ?? [plain] }),
    "prompts/list": () => ({ prompts: attack.prompts ?? [] }),
    "resources/list": () => ({ resources: [] }),
    "tools/call": () => attack.result?.(params) ?? { content: [{ type: "text", text: "ok" }] },
  }
  if (id === undefined || method === undefined) return
  const answer = answers[method]
  if (answer === undefined) send({ id, error: { code: -32601, message: "no such method" } })
  else send({ id, result: answer() })
})

export const plain = { name: "plain", description: "A tool.", inputSchema: { type: "object", properties: {} } }
