import type { ChangeBody } from "@gong/spec"
import type { LoopPorts } from "./ports.ts"

/** Takes secrets out of every text in a value; the value itself when there was nothing to take out of it. */
export function redactAll(ports: Pick<LoopPorts, "redact">, value: unknown): unknown {
  if (typeof value === "string") return ports.redact(value)
  if (typeof value !== "object" || value === null) return value
  const before = Object.entries(value)
  const after = before.map(([key, item]) => [key, redactAll(ports, item)] as const)
  if (after.every(([, item], at) => item === before[at]?.[1])) return value
  return Array.isArray(value) ? after.map(([, item]) => item) : Object.fromEntries(after)
}

/** A before-image is kept to the byte: one that holds a key goes into a file of its own and not into the entry. */
export async function withoutSecrets<C extends Pick<ChangeBody, "beforeText">>(
  ports: Pick<LoopPorts, "redact" | "artifacts">,
  change: C,
): Promise<C> {
  const { beforeText, ...rest } = change
  if (beforeText === undefined || ports.redact(beforeText) === beforeText) return change
  await ports.artifacts.put(new TextEncoder().encode(beforeText), { sync: true })
  return rest as C
}
