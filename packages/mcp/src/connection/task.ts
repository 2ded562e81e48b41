import type { Client, RequestOptions, StandardSchemaV1 } from "@modelcontextprotocol/client"
import { isRecord } from "@gong/spec"

/** Results that the caller checks itself. */
const anything: StandardSchemaV1 = { "~standard": { version: 1, vendor: "gong", validate: (value) => ({ value }) } }

/**
 * Calls a tool that runs as a task only (revision 2025-11-25): the answer is the task, and its result is asked for, which the
 * server holds back until the task has ended. An abort cancels the task.
 */
export async function callAsTask(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
  options: RequestOptions & { readonly signal: AbortSignal; readonly timeout: number },
): Promise<unknown> {
  const params = { name, arguments: { ...args }, task: { ttl: options.timeout } }
  const created: unknown = await client.request({ method: "tools/call", params }, anything, options)
  const task = isRecord(created) && isRecord(created["task"]) ? created["task"] : {}
  const { taskId } = task
  // A server may answer at once in spite of its definition.
  if (typeof taskId !== "string") return created
  const cancel = (): void => {
    client.request({ method: "tasks/cancel", params: { taskId } }, anything, { timeout: 5_000 }).catch(() => undefined)
  }
  options.signal.addEventListener("abort", cancel, { once: true })
  try {
    return await client.request({ method: "tasks/result", params: { taskId } }, anything, options)
  } finally {
    options.signal.removeEventListener("abort", cancel)
  }
}
