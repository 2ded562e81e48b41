import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { digestOf, enoughLoads, maxMemory, type Memory, readMemory } from "../host/memory.ts"
import { watchEnvironment } from "./environment.ts"

export interface Remembering {
  /** A module was loaded from there; `source` is null if the file was loaded unchanged. */
  loaded(url: string, source: string | null): void
  /** All were loaded and registered this; null if one of them failed. Later activity does not count. */
  end(offers: Memory["offers"] | null): void
}

/** Records loaded modules and read variables, and stores them in `file` with the resulting registrations. */
export function remembering(file: string | null): Remembering {
  if (file === null) return { loaded: () => undefined, end: () => undefined }
  const files = new Map<string, string>()
  // Null if the dependencies cannot be determined.
  let env: Map<string, string | null> | null = new Map()
  let open = true
  const leave = watchEnvironment((name, value) => {
    if (name === null) env = null
    else if (!env?.has(name)) env?.set(name, value === undefined ? null : digestOf(value))
  })
  return {
    loaded(url, source) {
      if (!open || url.startsWith("node:") || url.startsWith("data:")) return
      if (!/\.[cm]?[jt]s$|\.json$/.test(url)) env = null
      else files.set(fileURLToPath(url), source ?? readFileSync(fileURLToPath(url), "utf8"))
    },
    end(offers) {
      open = false
      leave()
      if (offers === null || env === null) return rmSync(file, { force: true })
      keep(file, { files: sorted(files), env: sorted(env), offers })
    },
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function keep(file: string, now: Omit<Memory, "loads">): void {
  const before = readMemory(file)
  const same = (part: keyof typeof now): boolean => JSON.stringify(before?.[part]) === JSON.stringify(now[part])
  const asBefore = before !== null && same("files") && same("env")
  const loads = !asBefore ? 1 : same("offers") && before.loads > 0 ? Math.min(before.loads + 1, enoughLoads) : 0
  if (asBefore && loads === before.loads) return
  const text = JSON.stringify({ loads, ...now } satisfies Memory)
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
