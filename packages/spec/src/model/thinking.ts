/** Thinking levels of a model, in rising order. */
export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh"] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]
