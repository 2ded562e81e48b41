import type { Host } from "@gong/spec"
import type { Ignore } from "ignore"
import { dirname, join, relativeTo } from "../posix-path.ts"

/** The ignore rules that apply in one folder: its own and those of its ancestors. */
export interface Ignores {
  /** `path` is absolute and inside this folder. */
  leaveOut(path: string, directory: boolean): boolean
}

/** Strongest first; a nearer file overrides one further up. In a repository git's ignore files end at its top. */
const kinds = [
  { file: ".rgignore", git: false },
  { file: ".ignore", git: false },
  { file: ".gitignore", git: true },
  { file: ".git/info/exclude", git: true },
] as const

interface Level {
  readonly folder: string
  readonly top: boolean
  readonly above: Level | null
  /** One per kind; null without such a file. */
  readonly rules: readonly (Ignore | null)[]
}

const FILE_MAX_BYTES = 1024 * 1024

/** The levels of all ancestors up to the root. */
export async function levelsAbove(host: Host, folder: string): Promise<Level | null> {
  if (folder === "/") return null
  const parent = dirname(folder)
  return levelOf(host, parent, await levelsAbove(host, parent))
}

/** Adds one folder. `names` avoids reading files that do not exist. */
export async function levelOf(
  host: Host,
  folder: string,
  above: Level | null,
  names?: ReadonlySet<string>,
): Promise<Level> {
  const there = (file: string) => names === undefined || names.has(file.split("/", 1)[0] ?? "")
  const rules: (Ignore | null)[] = []
  for (const { file } of kinds) rules.push(there(file) ? await rulesOf(host, join(folder, file)) : null)
  const top = names ? names.has(".git") : (await host.stat(join(folder, ".git")).catch(() => null)) !== null
  return { folder, top, above, rules }
}

export function ignoresOf(level: Level, repository: boolean): Ignores {
  return {
    leaveOut(path, directory) {
      for (const [at, kind] of kinds.entries()) {
        const ignored = verdict(level, at, kind.git && repository, directory ? `${path}/` : path)
        if (ignored !== null) return ignored
      }
      return false
    },
  }
}

function verdict(level: Level, kind: number, ends: boolean, path: string): boolean | null {
  for (let at: Level | null = level; at !== null; at = ends && at.top ? null : at.above) {
    const match = at.rules[kind]?.test(relativeTo(at.folder, path))
    if (match?.ignored) return true
    if (match?.unignored) return false
  }
  return null
}

async function rulesOf(host: Host, path: string): Promise<Ignore | null> {
  const bytes = await host.readRange(path, 0, FILE_MAX_BYTES).catch(() => null)
  if (bytes === null) return null
  const { default: ignore } = await import("ignore")
  return ignore({ ignorecase: false }).add(Buffer.from(bytes).toString())
}
