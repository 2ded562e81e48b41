import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { digestOf, requiredLoads, maxMemory, type StoredLoad, readMemory } from "../host/memory.ts"
import { watchEnvironment } from "./environment.ts"

export interface LoadRecorder {
  /** A module was loaded from there; `source` is null if the file was loaded unchanged. */
  loaded(url: string, source: string | null): void
  /** All were loaded and registered this; null if one of them failed. Later activity does not count. */
  end(registrations: StoredLoad["registrations"] | null): void
}

/** Records loaded modules and read variables, and stores them in `file` with the resulting registrations. */
export function createLoadRecorder(file: string | null): LoadRecorder {
  if (file === null) return { loaded: () => undefined, end: () => undefined }
  const files = new Map<string, string>()
  // Null if the dependencies cannot be determined.
  let env: Map<string, string | null> | null = new Map()
  let open = true
  const unwatch = watchEnvironment((name, value) => {
    if (name === null) env = null
    else if (!env?.has(name)) env?.set(name, value === undefined ? null : digestOf(value))
  })
  return {
    loaded(url, source) {
      if (!open || url.startsWith("node:") || url.startsWith("data:")) return
      if (!/\.[cm]?[jt]s$|\.json$/.test(url)) env = null
      else files.set(fileURLToPath(url), source ?? readFileSync(fileURLToPath(url), "utf8"))
    },
    end(registrations) {
      open = false
      unwatch()
      if (registrations === null || env === null) return rmSync(file, { force: true })
      store(file, { files: sorted(files), env: sorted(env), registrations: registrations })
    },
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function store(file: string, now: Omit<StoredLoad, "loads">): void {
  const before = readMemory(file)
  const same = (part: keyof typeof now): boolean => JSON.stringify(before?.[part]) === JSON.stringify(now[part])
  const unchanged = before !== null && same("files") && same("env")
  const loads = !unchanged
    ? 1
    : same("registrations") && before.loads > 0
      ? Math.min(before.loads + 1, requiredLoads)
      : 0
  if (unchanged && loads === before.loads) return
  const text = JSON.stringify({ loads, ...now } satisfies StoredLoad)
  if (text.length > maxMemory) return rmSync(file, { force: true })
  write(file, text)
}

/** Written atomically. If it cannot be stored, it is recorded again next time. */
function write(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    rmSync(temporary, { force: true })
  }
}
