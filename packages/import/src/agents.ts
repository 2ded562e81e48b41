/** Agents and editors from which `gong import` imports; of the last three MCP servers, of Gemini CLI conversations too. */
export const agents = ["claude", "codex", "pi", "opencode", "gemini", "cursor", "vscode"] as const
export type Agent = (typeof agents)[number]
