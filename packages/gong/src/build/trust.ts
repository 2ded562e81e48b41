import { realpathSync } from "node:fs"
import type { Options } from "../config/flags.ts"
import type { Workspace } from "../config/workspace.ts"
import { decide, type TrustAnswer } from "../trust/decide.ts"
import { readTrust, type TrustDecision } from "../trust/store.ts"
import { findSurface, type Surface } from "../trust/surface.ts"
import { say } from "../texts/say.ts"
import type { World } from "../world.ts"

/**
 * What `--trust yes` was said to, in this process: folders as they were when they were first looked at. Settings and
 * commands are looked at again while a session is open, and what the model has changed by then nobody has said yes to.
 */
const saidYes = new WeakMap<World, Map<string, TrustDecision>>()

/** Whether what the workspace brings may act in this run. */
export function decideHere(
  world: World,
  options: Options,
  home: string,
  { folder }: Pick<Workspace, "folder">,
): TrustAnswer {
  const surface = surfaceOf(folder, home)
  const flag = options.trust ?? null
  if (flag !== "yes" || surface.tooLarge) return decideFor(surface, flag, home)
  const folders = saidYes.get(world) ?? new Map<string, TrustDecision>()
  saidYes.set(world, folders)
  const before = folders.get(folder)
  if (before === undefined) folders.set(folder, { trusted: true, files: Object.fromEntries(surface.files) })
  return before === undefined
    ? decide({ surface, flag, store: new Map() })
    : decide({ surface, flag: null, store: folders })
}

function decideFor(surface: Surface, flag: "yes" | "no" | null, home: string): TrustAnswer {
  const { store, problem } = readTrust(home)
  const answer = decide({ surface, flag, store })
  // Who said what they want for this run does not depend on the file.
  return problem === null || flag !== null ? answer : { ...answer, line: nothingTrusted(problem) }
}

/** One whole line. */
export function nothingTrusted(problem: string): string {
  return say`gong: ${problem} Until then no folder is trusted.`
}

/** What a folder brings that acts; the user's own home is no project, also for who works in the folder that holds it. */
export function surfaceOf(folder: string, home: string): Surface {
  return findSurface(folder, [home, realOf(home)])
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
