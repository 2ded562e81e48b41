import type { Model, ThinkingLevel } from "@gong/spec"

/** Levels in rising order; a model gets the nearest one that it knows, the lower when two are as near. */
const order: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high", "xhigh"]

/** A thinking level in OpenAI's words; undefined when nothing is to be said about it. */
export function effortOf(level: ThinkingLevel, { reasoning, compat }: Model): string | undefined {
  if (!reasoning) return undefined
  const efforts = compat?.efforts ?? ["low", "medium", "high"]
  const wanted = order.indexOf(level)
  const known = order.filter((one) => efforts.includes(one))
  if (level === "off" || known.length === 0) return efforts.includes("off") ? "none" : undefined
  return known.toSorted((a, b) => Math.abs(order.indexOf(a) - wanted) - Math.abs(order.indexOf(b) - wanted))[0]
}
