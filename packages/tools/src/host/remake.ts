import { builtInDeclarations, createBuiltIn } from "@gong/tools"
import { createMemoryHost } from "@gong/tools/host/memory"

/** A call as the tape has it. */
export interface RecordedCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The bytes that a call of a built-in tool made of a file, found by making it again where nothing else is; null: unknown. */
export async function remake(call: RecordedCall, path: string, before: Uint8Array): Promise<Uint8Array | null> {
  const declared = builtInDeclarations(call.name)
  // One path, and nothing but what is recorded: then the call made what it makes here.
  if (declared?.effect !== "write" || declared.recordsChanges !== true || declared.paths?.length !== 1) return null
  const [{ argument, holds } = { argument: "", holds: "" }] = declared.paths
  if (holds !== "file") return null
  const host = createMemoryHost({ files: { [path]: before } })
  const tool = createBuiltIn(call.name, "/", { host, roots: "anywhere" })
  if (tool === null) return null
  const args = { ...(tool.mapArguments?.(call.arguments) ?? call.arguments), [argument]: path }
  const context = { signal: new AbortController().signal, onProgress: () => undefined }
  const result = await tool.execute("remake", args as never, context)
  return result.isError ? null : host.readRange(path, 0)
}
