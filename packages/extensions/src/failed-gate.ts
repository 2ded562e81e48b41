import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { maxSource, type Registrations } from "./protocol.ts"

/** The registration assumed for an extension that failed to load and has a gate: a gate for calls of all tools. */
export const failedGate: Registrations = {
  tools: [],
  commands: [],
  hooks: [{ callbacks: ["beforeToolCall"], tools: null, timeMs: 5_000 }],
  providers: [],
  renderers: [],
  events: [],
  resources: { skills: [], prompts: [], themes: [] },
}

/** Maximum number of files searched per extension. */
const maxFiles = 100

/** Whether the code of an extension mentions a gate before calls. Never fails. */
export function mentionsGate(path: string): boolean {
  return filesOf(path).some((file) => {
    try {
      return statSync(file).size <= maxSource && readFileSync(file, "utf8").includes("beforeToolCall")
    } catch {
      return false
    }
  })
}

/** The code of an extension: its file, or the files of its folder. Imports from elsewhere are not followed. */
export function filesOf(path: string): readonly string[] {
  if (!basename(path).startsWith("index.")) return [path]
  const folder = dirname(path)
  try {
    const names = readdirSync(folder).filter((name) => /\.m?[jt]s$/.test(name))
    return names.slice(0, maxFiles).map((name) => join(folder, name))
  } catch {
    return [path]
  }
}
