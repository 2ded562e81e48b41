import type { ChangeBody } from "@gong/spec"
import type { LoopPorts } from "./ports.ts"

/** Takes secrets out of every text in a value; the value itself when there was nothing to take out of it. */
export function redactAll(ports: Pick<LoopPorts, "redact">, value: unknown): unknown {
  if (typeof value === "string") return ports.redact(value)
  if (typeof value !== "object" || value === null) return value
  const clean: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {}
  let changed = false
  for (const [key, item] of Object.entries(value)) {
    const other = redactAll(ports, item)
    if (other !== item) changed = true
    ;(clean as Record<string, unknown>)[key] = other
  }
  return changed ? clean : value
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
