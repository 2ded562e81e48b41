import { pathToFileURL } from "node:url"
import { apiVersion, silenceTime, type WorkerBegin, type WorkerExtension } from "../protocol.ts"
import { type Registered, registrarOf } from "./registrar.ts"

/** Loads one extension and lets it register what it brings. Throws what it throws; ends after 5 s in any case. */
export async function loadExtension(
  extension: WorkerExtension,
  begin: WorkerBegin,
  say: (level: "info" | "warn", text: string) => void,
): Promise<Registered> {
  const registrar = registrarOf(extension, begin, say)
  const loading = (async () => {
    const module = (await import(pathToFileURL(extension.path).href)) as Readonly<Record<string, unknown>>
    const { api = 1, default: start } = module
    if (typeof api !== "number" || api > apiVersion)
      throw new Error(`it was written for API ${String(api)}, and this Gong has ${apiVersion}. Update Gong.`)
    if (typeof start !== "function")
      throw new Error("it has no default export that is a function. Write: export default function (gong) {...}.")
    await start(registrar.api)
  })()
  // Whoever comes too late registers nothing, and what it then throws is of no interest.
  loading.catch(() => undefined)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const text = `it was not loaded after ${silenceTime / 1000} s. Do not wait in the default export or at the top of the file.`
  const timer = setTimeout(() => reject(new Error(text)), silenceTime)
  try {
    await Promise.race([loading, late])
    return registrar.close()
  } finally {
    clearTimeout(timer)
    registrar.close()
  }
}
