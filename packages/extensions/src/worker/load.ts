import { pathToFileURL } from "node:url"
import { phrase } from "@gong/spec"
import { apiVersion, silenceTime, type WorkerBegin, type WorkerExtension } from "../protocol.ts"
import { must } from "./own-error.ts"
import { type LoadedFunctions, registrarOf } from "./registrar.ts"

/** Loads one extension and collects its registrations; null after a timeout of 5 s. Rethrows its errors. */
export async function loadExtension(
  extension: WorkerExtension,
  begin: WorkerBegin,
  say: (level: "info" | "warn", text: string) => void,
): Promise<LoadedFunctions | null> {
  const registrar = registrarOf(extension, begin, say)
  const loading = (async () => {
    const module = (await import(pathToFileURL(extension.path).href)) as Readonly<Record<string, unknown>>
    const { api = 1, default: start } = module
    must(
      typeof api === "number" && api <= apiVersion,
      phrase`it was written for API ${String(api)}, and this Gong has ${apiVersion}. Update Gong`,
    )
    must(
      typeof start === "function",
      phrase`it has no default export that is a function. Write: export default function (gong) {...}`,
    )
    await start(registrar.api)
    return "loaded" as const
  })()
  // After the timeout it can register nothing, and its errors are ignored.
  loading.catch(() => undefined)
  const { promise: late, resolve } = Promise.withResolvers<"timeout">()
  const timer = setTimeout(() => resolve("timeout"), silenceTime)
  try {
    const end = await Promise.race([loading, late])
    return end === "timeout" ? null : registrar.close()
  } finally {
    clearTimeout(timer)
    registrar.close()
  }
}
