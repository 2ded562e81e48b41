/** Agents from which `gong import` imports; of Gemini CLI only conversations. */
export const agents = ["claude", "codex", "pi", "opencode", "gemini"] as const
export type Agent = (typeof agents)[number]
