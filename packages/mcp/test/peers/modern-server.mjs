// A server of revision 2026-07-28 made with the official package.
import { fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

serveStdio(() => {
  const server = new McpServer({ name: "modern", version: "1.0.0" }, { capabilities: { tools: {} } })
  const inputSchema = fromJsonSchema({ type: "object", properties: { text: { type: "string" } }, required: ["text"] })
  server.registerTool("shout", { description: "In capitals.", inputSchema }, ({ text }) => ({
    content: [{ type: "text", text: text.toUpperCase() }],
  }))
  const nothing = fromJsonSchema({ type: "object", properties: {} })
  server.registerTool("ask", { description: "Asks the user for a color.", inputSchema: nothing }, (_, context) => {
    const answer = context.mcpReq.inputResponses?.color
    if (answer !== undefined) return { content: [{ type: "text", text: `the answer: ${JSON.stringify(answer)}` }] }
    const requestedSchema = {
      type: "object",
      properties: { color: { type: "string", enum: ["red", "green"] } },
      required: ["color"],
    }
    return inputRequired({
      inputRequests: { color: inputRequired.elicit({ message: "Which color?", requestedSchema }) },
    })
  })
  return server
})
