import type { Model, ThinkingLevel } from "@gong/spec"

/** Levels in rising order; the nearest supported one is used, the lower of two equally near. */
const order: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high", "xhigh"]

/** The effort of a thinking level in OpenAI's terms; undefined if none is sent. */
export function effortOf(level: ThinkingLevel, { reasoning, compat }: Model): string | undefined {
  if (!reasoning) return undefined
  const efforts = compat?.efforts ?? ["low", "medium", "high"]
  const wanted = order.indexOf(level)
  const known = order.filter((one) => efforts.includes(one))
  if (level === "off" || known.length === 0) return efforts.includes("off") ? "none" : undefined
  return known.toSorted((a, b) => Math.abs(order.indexOf(a) - wanted) - Math.abs(order.indexOf(b) - wanted))[0]
}
