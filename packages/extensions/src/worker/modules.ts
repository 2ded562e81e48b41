import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { phrase } from "@gong/spec"
import { digestOf, readCacheFile } from "../host/memory.ts"
import { type ImportBoundary, maxSource } from "../protocol.ts"
import { ownError } from "./own-error.ts"
import { isBelow } from "./problem.ts"

/** Maximum number of compiled copies; the oldest are dropped first. */
const maxCopies = 500

/**
 * Installs the module loader: TypeScript is loaded from its compiled copy in `cache`, or compiled and stored there.
 * Types become blanks, so lines and columns stay valid. Modules inside a boundary import Node's own modules and trusted
 * files inside the boundary only. `seen` is called for each loaded module.
 */
export function loadModules(
  cache: string | null,
  boundaries: readonly ImportBoundary[],
  seen: (url: string, source: string | null) => void,
): void {
  const boundaryOf = (url: string): ImportBoundary | undefined => {
    const path = url.startsWith("file:") ? fileURLToPath(url) : null
    return path === null ? undefined : boundaries.find(({ folder }) => isBelow(path, folder))
  }
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      // The requested path may be a link by now.
      const boundary = boundaryOf(context.parentURL ?? "") ?? boundaryOf(specifier)
      // The system loads native modules by path, where the file may have been replaced.
      if (boundary !== undefined && found.url.endsWith(".node"))
        throw ownError(
          phrase`"${specifier}" is a native library, which a repository cannot bring. (${context.parentURL}:1)`,
        )
      if (boundary === undefined || found.url.startsWith("node:") || boundaryOf(found.url) === boundary) return found
      throw ownError(
        phrase`"${specifier}" lies outside of ${boundary.folder}, and what is trusted is that folder. Move it there. (${context.parentURL}:1)`,
      )
    },
    load(url, context, next) {
      const boundary = boundaryOf(url)
      if (!url.startsWith("file:") || (boundary === undefined && !isTypeScript(url))) {
        const loaded = next(url, context)
        seen(url, typeof loaded.source === "string" ? loaded.source : null)
        return loaded
      }
      const path = fileURLToPath(url)
      const bytes = readFileSync(path)
      if (boundary !== undefined) mustBeTrusted(boundary, url, bytes)
      const text = /\.(?:[cm]?[jt]s|json)$/.test(path) ? bytes.toString() : null
      seen(url, text)
      if (text !== null && isTypeScript(url))
        return { format: "module", source: compiled(text, path, cache), shortCircuit: true }
      // Node reads the file again to detect its type; the verified source is what runs.
      return { ...next(url, context), source: text ?? bytes, shortCircuit: true }
    },
  })
}

function isTypeScript(url: string): boolean {
  return /\.m?ts$/.test(url)
}

function mustBeTrusted({ files }: ImportBoundary, url: string, bytes: Uint8Array): void {
  const path = fileURLToPath(url)
  if (process.getBuiltinModule("node:crypto").hash("sha256", bytes) === files.get(path)) return
  throw ownError(
    phrase`${path} is not as it was when this folder was trusted. Look at it, then trust it again. (${url}:1)`,
  )
}

function compiled(source: string, path: string, cache: string | null): string {
  if (source.length > maxSource)
    throw ownError(phrase`${path} has ${source.length} characters; ${maxSource} are the most. Split it`)
  if (cache === null) return strip(source, path)
  // Another version of Node may strip types differently.
  const file = join(cache, `copy-${digestOf(`${process.version}\0${path}`)}.json`)
  const kept = readCacheFile(file, maxCopy)
  // The name contains no hash of the source, because loading node:crypto would cost more than everything else.
  if (isCopy(kept) && kept.source === source) return kept.code
  const code = strip(source, path)
  keep(cache, file, JSON.stringify({ source, code } satisfies Copy))
  return code
}

interface Copy {
  readonly source: string
  readonly code: string
}

/** Maximum size of a source and its code as JSON. */
const maxCopy = 4 * maxSource

function isCopy(value: unknown): value is Copy {
  const { source, code } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof source === "string" && typeof code === "string"
}

function strip(source: string, path: string): string {
  try {
    return stripTypeScriptTypes(source, { mode: "strip" })
  } catch (error) {
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error))
    const [, line = "1"] = /^:(\d+)\n/.exec(stack) ?? []
    throw Object.assign(new SyntaxError(message), { stack: `SyntaxError: ${message}\n    at ${path}:${line}` })
  }
}

/** If it cannot be stored, it is compiled again next time. */
function keep(cache: string, file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, file)
    forget(cache)
  } catch {
    rmSync(temporary, { force: true })
  }
}

function forget(cache: string): void {
  const names = readdirSync(cache)
  if (names.length <= maxCopies) return
  const aged = names.map((name) => ({ name, at: statSync(join(cache, name)).mtimeMs }))
  for (const { name } of aged.toSorted((a, b) => a.at - b.at).slice(0, names.length - maxCopies))
    rmSync(join(cache, name), { force: true })
}
