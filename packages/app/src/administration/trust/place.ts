import { phrase } from "@gong/spec"
import { currentWorkspace } from "../../compose/config.ts"
import { surfaceOf } from "../../compose/permissions/trust.ts"
import type { SessionSpec } from "@gong/config/session-spec"
import { homeFolder } from "@gong/config/home"
import { codeOf, ok, type Outcome, usage } from "@gong/config/usage"
import { removeUnusedCopies, storeCopies } from "@gong/config/trust/copies"
import { stateOf, type TrustState } from "@gong/config/trust/decide"
import { trustName } from "@gong/config/trust/folder-files"
import { readTrust, saveTrust, type TrustDecision } from "@gong/config/trust/store"
import type { ActiveContent } from "@gong/config/trust/active-content"
import type { Services } from "../../services.ts"
import type { Translate } from "@gong/texts/translator"

/** A folder, what it brings now, and what a person has said about it. */
export interface TrustPlace extends TrustState {
  readonly home: string
  readonly surface: ActiveContent
  readonly decided: TrustDecision | undefined
  /** Why nothing of what was decided can be read; null otherwise. */
  readonly problem: string | null
}

/** Reads no settings: a folder whose settings are broken can be looked at, and no longer be trusted. */
export async function trustPlace(services: Services, spec: SessionSpec): Promise<Outcome<TrustPlace>> {
  const home = homeFolder(services.env, services.userHome, services.cwd)
  const found = await currentWorkspace(services, spec)
  if (!found.ok) return found
  const { host, workspace } = found.value
  return ok(await placeOf(services.t, home, { host, root: workspace.folder }))
}

/** A folder, and where it is. */
type Folder = Pick<ActiveContent, "host" | "root">

export async function placeOf(t: Translate, home: string, { host, root }: Folder): Promise<TrustPlace> {
  const surface = await surfaceOf(t, host, root, home)
  const { store, problem } = readTrust(t, home)
  const decided = store.get(trustName(surface))
  return { home, surface, decided, problem, ...stateOf(surface, decided) }
}

/** `later`: no to what the folder has changed to; what it was when it was trusted stays trusted. */
export type TrustAnswer = "yes" | "no" | "later"

/** Keeps what a person said about the folder as it was when it was looked at, whatever it is by now. */
export async function remember(
  t: Translate,
  { home, surface, decided }: TrustPlace,
  answer: TrustAnswer,
): Promise<Outcome<null>> {
  const { root, tooLarge, hash } = surface
  if (answer === "yes" && tooLarge) return usage(phrase`${root} has too much active content to check.`)
  const files = Object.fromEntries(surface.files)
  if (answer === "later" && decided?.trusted === true) return keep(t, home, surface, { ...decided, refused: hash })
  return keep(t, home, surface, { trusted: answer === "yes", files })
}

/** Whether there was a decision to forget. `name`: as `trustName` makes it. */
export function forget(t: Translate, home: string, name: string): Outcome<boolean> {
  const { store, problem } = readTrust(t, home)
  if (problem !== null) return usage(problem)
  if (!store.has(name)) return ok(false)
  return written(home, () => {
    const all = saveTrust(t, home, name, null)
    if (!all.ok) return all
    removeUnusedCopies(home, all.value)
    return ok(true)
  })
}

export async function keep(
  t: Translate,
  home: string,
  folder: Folder,
  decision: TrustDecision,
): Promise<Outcome<null>> {
  const all = written(home, () => saveTrust(t, home, trustName(folder), decision))
  if (!all.ok) return all
  try {
    if (decision.trusted) await storeCopies(home, folder, decision.files)
  } catch (error) {
    return unwritable(home, error)
  }
  return written(home, () => {
    removeUnusedCopies(home, all.value)
    return ok(null)
  })
}

function written<T>(home: string, write: () => Outcome<T>): Outcome<T> {
  try {
    return write()
  } catch (error) {
    return unwritable(home, error)
  }
}

function unwritable(home: string, error: unknown): Outcome<never> {
  if (!(error instanceof Error) || !("code" in error)) throw error
  return usage(phrase`${home}/trust.json cannot be written (${codeOf(error)}).`)
}
