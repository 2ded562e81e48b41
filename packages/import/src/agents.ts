/** Agents whose configuration `gong import` supports. */
export const agents = ["claude", "codex", "pi", "opencode"] as const
export type Agent = (typeof agents)[number]
