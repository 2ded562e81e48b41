import type { Clock, Host, HostDirent } from "@gong/spec"
import { join } from "../posix-path.ts"
import { checkAborted, codeOf } from "../result.ts"
import type { Scope } from "../search/scope.ts"
import { ignoresOf, levelOf, levelsAbove } from "./ignores.ts"

const ENTRIES_MAX = 300_000
const WALK_MAX_MS = 60_000
/** Milliseconds before the walk yields to timers, signals and input. */
const TURN_MS = 20

/**
 * Walks the selected files, relative to the folder, without ripgrep: the files of a folder by name, then its
 * subfolders. Does not follow links. `onFile` returns `false` to stop. Returns what could not be read; empty if
 * everything was.
 */
export async function walkFiles(host: Host, scope: Scope, onFile: (path: string) => Promise<boolean>): Promise<string> {
  const { folder, clock } = scope
  const { default: ignore } = await import("ignore")
  const excluded = ignore({ ignorecase: false }).add(scope.exclude)
  const yieldTurn = createYielder(clock, scope.signal)
  const until = clock.now() + WALK_MAX_MS
  const stack = [{ path: "", level: scope.everything ? null : await levelsAbove(host, folder) }]
  let trouble = ""
  let looked = 0
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const entries = await entriesOf(host, join(folder, at.path))
    if (typeof entries === "string") {
      trouble ||= entries
      continue
    }
    const level = scope.everything ? null : await levelOf(host, join(folder, at.path), at.level, namesOf(entries))
    const ignores = level && ignoresOf(level, scope.repository)
    const below: typeof stack = []
    for (const { name, kind } of entries) {
      await yieldTurn()
      if (++looked > ENTRIES_MAX)
        return `only the first ${ENTRIES_MAX} entries were looked at. Give a path further down`
      if (clock.now() > until) return `ended after ${WALK_MAX_MS / 1000} s. Give a path further down`
      const directory = kind === "directory"
      if (!directory && kind !== "file") continue
      const path = at.path === "" ? name : `${at.path}/${name}`
      if (excluded.ignores(directory ? `${path}/` : path)) continue
      if (ignores?.leaveOut(join(folder, path), directory)) continue
      if (directory) below.push({ path, level })
      else if (!(await onFile(path))) return trouble
    }
    // Pushed one by one: spreading a large folder would overflow the call stack.
    for (const one of below.reverse()) stack.push(one)
  }
  return trouble
}

async function entriesOf(host: Host, path: string): Promise<readonly HostDirent[] | string> {
  try {
    const entries = [...(await host.readdir(path))]
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (thrown) {
    const code = codeOf(thrown)
    if (code === null) throw thrown
    return `${path}: ${code}`
  }
}

function namesOf(entries: readonly HostDirent[]): ReadonlySet<string> {
  return new Set(entries.map((entry) => entry.name))
}

/** Host calls may complete without a macrotask, so the walk yields itself and checks for an abort. */
export function createYielder(clock: Clock, signal: AbortSignal): () => Promise<void> {
  let since = clock.now()
  return async () => {
    checkAborted(signal)
    if (clock.now() - since < TURN_MS) return
    await clock.sleep(0)
    checkAborted(signal)
    since = clock.now()
  }
}
