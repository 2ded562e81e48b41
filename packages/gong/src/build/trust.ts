import { realpathSync } from "node:fs"
import type { Options } from "../config/flags.ts"
import type { Workspace } from "../config/workspace.ts"
import { decide, type TrustAnswer } from "../trust/decide.ts"
import { readTrust, type TrustDecision } from "../trust/store.ts"
import { findSurface, type Surface } from "../trust/surface.ts"
import type { World } from "../world.ts"
import type { Translate } from "../texts/translator.ts"

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
  const surface = surfaceOf(world.t, folder, home)
  const flag = options.trust ?? null
  if (flag !== "yes" || surface.tooLarge) return decideFor(world.t, surface, flag, home)
  const folders = saidYes.get(world) ?? new Map<string, TrustDecision>()
  saidYes.set(world, folders)
  const before = folders.get(folder)
  if (before === undefined) folders.set(folder, { trusted: true, files: Object.fromEntries(surface.files) })
  return before === undefined
    ? decide(world.t, { surface, flag, store: new Map() })
    : decide(world.t, { surface, flag: null, store: folders })
}

function decideFor(t: Translate, surface: Surface, flag: "yes" | "no" | null, home: string): TrustAnswer {
  const { store, problem } = readTrust(t, home)
  const answer = decide(t, { surface, flag, store })
  // Who said what they want for this run does not depend on the file.
  return problem === null || flag !== null ? answer : { ...answer, line: nothingTrusted(t, problem) }
}

/** One whole line. */
export function nothingTrusted(t: Translate, problem: string): string {
  return t`gong: ${problem} Until then no folder is trusted.`
}

/** What a folder brings that acts; the user's own home is no project, also for who works in the folder that holds it. */
export function surfaceOf(t: Translate, folder: string, home: string): Surface {
  return findSurface(t, folder, [home, realOf(home)])
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
