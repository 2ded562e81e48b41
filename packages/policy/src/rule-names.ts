/** The name of rules for connections of commands; no tool may have it. */
export const networkRule = "network"

/** The rule for calls to MCP servers: `mcp`, `mcp(github__*)`, `mcp(github__get_issue)`. */
export const serverRule = "mcp"
