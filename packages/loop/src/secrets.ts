import type { ChangeBody } from "@gong/spec"
import type { LoopPorts } from "./ports.ts"

/** Redacts every text in a value; returns the value itself if nothing changed. */
export function redactAll(ports: Pick<LoopPorts, "redact">, value: unknown): unknown {
  if (typeof value === "string") return ports.redact(value)
  if (typeof value !== "object" || value === null) return value
  const before = Object.entries(value)
  const after = before.map(([key, item]) => [key, redactAll(ports, item)] as const)
  if (after.every(([, item], at) => item === before[at]?.[1])) return value
  return Array.isArray(value) ? after.map(([, item]) => item) : Object.fromEntries(after)
}

/** A before-image is kept byte for byte; one that contains a key goes to an artifact instead of the entry. */
export async function withoutSecrets<C extends Pick<ChangeBody, "beforeText">>(
  ports: Pick<LoopPorts, "redact" | "artifacts">,
  change: C,
): Promise<C> {
  const { beforeText, ...rest } = change
  if (beforeText === undefined || ports.redact(beforeText) === beforeText) return change
  await ports.artifacts.put(new TextEncoder().encode(beforeText), { sync: true })
  return rest as C
}
