import { phrase, ownFolder } from "@gong/spec"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { findAll, sha256 } from "@gong/config/trust/folder-files"
import type { ActiveContent } from "@gong/config/trust/active-content"
import { keep, placeOf } from "./place.ts"
import type { Translate } from "@gong/texts/translator"

const path = `${ownFolder}/settings.json`

/** A change that the user makes to the project's settings through Gong. */
export interface OwnChange {
  /** The text that was changed, null for none. */
  readonly before: string | null
  /** The text that was written. */
  readonly after: string
}

/**
 * Trust goes along with the user's own change: where the folder was trusted as it was, or brought nothing, it is trusted with
 * what was written now and not one byte besides. Where it was not, nothing changes. To be called before the change; gives
 * what is to be called after it, and that says whether the change acts.
 */
export async function renewing(
  t: Translate,
  home: string,
  folder: Pick<ActiveContent, "host" | "root">,
): Promise<Outcome<(change: OwnChange) => Promise<Outcome<boolean>>>> {
  const places = [ownFolder, path]
  for (const [at, found] of (await findAll(folder.host, folder.root, places)).entries()) {
    if (found?.kind === "outside")
      return usage(
        phrase`${folder.root}/${places[at]} leads to ${found.real}, which is no project's settings. Nothing was changed.`,
      )
  }
  const { state, decided } = await placeOf(t, home, folder)
  const files = decided?.trusted ? decided.files : {}
  const trusted = state === "trusted" || (state === "nothing" && decided?.trusted !== false)
  return ok(async ({ before, after }) => {
    // What somebody else put there in between is not the user's own.
    const pinned = state === "trusted" && Object.hasOwn(files, path) ? (files[path] ?? null) : null
    if (!trusted || (before === null ? null : sha256(before)) !== pinned) return ok(false)
    const kept = await keep(t, home, folder, {
      trusted: true,
      files: { ...(state === "trusted" ? files : {}), [path]: sha256(after) },
    })
    return kept.ok ? ok(true) : kept
  })
}
