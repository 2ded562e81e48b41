import { phrase } from "@gong/spec"
import { surfaceOf } from "../../build/trust.ts"
import type { Options } from "../../config/flags.ts"
import { homeFolder } from "../../config/home.ts"
import { codeOf, ok, type Outcome, usage } from "../../config/usage.ts"
import { findWorkspace } from "../../config/workspace.ts"
import { dropCopies, keepCopies } from "../../trust/copies.ts"
import { stateOf, type TrustState } from "../../trust/decide.ts"
import { readTrust, saveTrust, type TrustDecision } from "../../trust/store.ts"
import type { Surface } from "../../trust/surface.ts"
import type { World } from "../../world.ts"
import type { Translate } from "../../texts/translator.ts"

/** A folder, what it brings now, and what a person has said about it. */
export interface TrustPlace extends TrustState {
  readonly home: string
  readonly surface: Surface
  readonly decided: TrustDecision | undefined
  /** Why nothing of what was decided can be read; null otherwise. */
  readonly problem: string | null
}

/** Reads no settings: a folder whose settings are broken can be looked at, and no longer be trusted. */
export function trustPlace(world: World, options: Options): Outcome<TrustPlace> {
  const home = homeFolder(world.env, world.userHome, world.cwd)
  const found = findWorkspace({
    from: world.cwd,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    addDirs: [],
    home: world.userHome,
    temp: world.temp,
  })
  return found.ok ? ok(placeOf(world.t, home, found.value.folder)) : found
}

export function placeOf(t: Translate, home: string, folder: string): TrustPlace {
  const surface = surfaceOf(t, folder, home)
  const { store, problem } = readTrust(t, home)
  const decided = store.get(surface.root)
  return { home, surface, decided, problem, ...stateOf(surface, decided) }
}

/** `later`: no to what the folder has changed to; what it was when it was trusted stays trusted. */
export type TrustAnswer = "yes" | "no" | "later"

/** Keeps what a person said about the folder as it was when it was looked at, whatever it is by now. */
export function remember(t: Translate, { home, surface, decided }: TrustPlace, answer: TrustAnswer): Outcome<null> {
  const { root, tooLarge, hash } = surface
  if (answer === "yes" && tooLarge) return usage(phrase`${root} brings too many files that can act to be judged.`)
  const files = Object.fromEntries(surface.files)
  if (answer === "later" && decided?.trusted === true) return keep(t, home, root, { ...decided, refused: hash })
  return keep(t, home, root, { trusted: answer === "yes", files })
}

/** Whether there was a decision to forget. */
export function forget(t: Translate, home: string, root: string): Outcome<boolean> {
  const { store, problem } = readTrust(t, home)
  if (problem !== null) return usage(problem)
  if (!store.has(root)) return ok(false)
  const done = keep(t, home, root, null)
  return done.ok ? ok(true) : done
}

export function keep(t: Translate, home: string, root: string, decision: TrustDecision | null): Outcome<null> {
  try {
    const all = saveTrust(t, home, root, decision)
    if (!all.ok) return all
    if (decision?.trusted === true) keepCopies(home, root, decision.files)
    dropCopies(home, all.value)
    return ok(null)
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error
    return usage(phrase`${home}/trust.json cannot be written (${codeOf(error)}).`)
  }
}
