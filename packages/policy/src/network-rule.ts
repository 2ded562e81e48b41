/** The name of rules for connections of commands; no tool may have it. */
export const networkRule = "network"
