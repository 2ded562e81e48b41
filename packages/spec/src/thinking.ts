/** How hard a model is asked to think, from not at all upwards. */
export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh"] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]
