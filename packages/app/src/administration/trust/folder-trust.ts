import { phrase } from "@gong/spec"
import { currentWorkspace } from "../../compose/config.ts"
import { activeContentOf } from "../../compose/permissions/trust.ts"
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

/** The active content of a folder, with the decision of the user. */
export interface FolderTrust extends TrustState {
  readonly home: string
  readonly content: ActiveContent
  readonly decided: TrustDecision | undefined
  /** The reason why stored decisions cannot be read; null if they can. */
  readonly problem: string | null
}

/** Does not read settings, so that it also works for a folder with invalid settings. */
export async function folderTrust(services: Services, spec: SessionSpec): Promise<Outcome<FolderTrust>> {
  const home = homeFolder(services.env, services.userHome, services.cwd)
  const found = await currentWorkspace(services, spec)
  if (!found.ok) return found
  const { host, workspace } = found.value
  return ok(await trustOf(services.t, home, { host, root: workspace.folder }))
}

/** A folder and its host. */
type Folder = Pick<ActiveContent, "host" | "root">

export async function trustOf(t: Translate, home: string, { host, root }: Folder): Promise<FolderTrust> {
  const content = await activeContentOf(t, host, root, home)
  const { store, problem } = readTrust(t, home)
  const decided = store.get(trustName(content))
  return { home, content, decided, problem, ...stateOf(content, decided) }
}

/** `later`: refuses the changes since the folder was trusted; the trusted version stays trusted. */
export type TrustAnswer = "yes" | "no" | "later"

/** Stores the decision about the content that was read, even if the folder has changed since. */
export async function storeDecision(
  t: Translate,
  { home, content, decided }: FolderTrust,
  answer: TrustAnswer,
): Promise<Outcome<null>> {
  const { root, tooLarge, hash } = content
  if (answer === "yes" && tooLarge) return usage(phrase`${root} has too much active content to check.`)
  const files = Object.fromEntries(content.files)
  if (answer === "later" && decided?.trusted === true)
    return saveDecision(t, home, content, { ...decided, refused: hash })
  return saveDecision(t, home, content, { trusted: answer === "yes", files })
}

/** Returns whether there was a decision. `name`: the result of `trustName`. */
export function removeDecision(t: Translate, home: string, name: string): Outcome<boolean> {
  const { store, problem } = readTrust(t, home)
  if (problem !== null) return usage(problem)
  if (!store.has(name)) return ok(false)
  return withWriteErrors(home, () => {
    const all = saveTrust(t, home, name, null)
    if (!all.ok) return all
    removeUnusedCopies(home, all.value)
    return ok(true)
  })
}

export async function saveDecision(
  t: Translate,
  home: string,
  folder: Folder,
  decision: TrustDecision,
): Promise<Outcome<null>> {
  const all = withWriteErrors(home, () => saveTrust(t, home, trustName(folder), decision))
  if (!all.ok) return all
  try {
    if (decision.trusted) await storeCopies(home, folder, decision.files)
  } catch (error) {
    return unwritable(home, error)
  }
  return withWriteErrors(home, () => {
    removeUnusedCopies(home, all.value)
    return ok(null)
  })
}

function withWriteErrors<T>(home: string, write: () => Outcome<T>): Outcome<T> {
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
