import { createAllTools } from "@gong/tools"
import { createMemoryHost } from "@gong/tools/host/memory"
import type { MadeCall } from "../session/open-changes.ts"

/** The bytes that a call of write or edit made of a file, found by making it again where nothing else is; null: unknown. */
export async function remake(call: MadeCall, path: string, before: Uint8Array): Promise<Uint8Array | null> {
  if (call.name !== "write" && call.name !== "edit") return null
  const host = createMemoryHost({ files: { [path]: before } })
  const tool = createAllTools("/", { host, roots: "anywhere" })[call.name]
  const args = { ...(tool.mapArguments?.(call.arguments) ?? call.arguments), path }
  const context = { signal: new AbortController().signal, onProgress: () => undefined }
  const result = await tool.execute("remake", args as never, context)
  return result.isError ? null : host.readRange(path, 0)
}
