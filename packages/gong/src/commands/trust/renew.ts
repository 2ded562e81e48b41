import { phrase } from "@gong/spec"
import { ownFolder } from "../../folders.ts"
import { ok, type Outcome, usage } from "../../config/usage.ts"
import { findIn, sha256 } from "../../trust/place.ts"
import { keep, placeOf } from "./place.ts"
import type { Translate } from "../../texts/translator.ts"

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
export function renewing(t: Translate, home: string, folder: string): Outcome<(change: OwnChange) => Outcome<boolean>> {
  for (const place of [ownFolder, path]) {
    const found = findIn(folder, place)
    if (found?.kind === "outside")
      return usage(
        phrase`${folder}/${place} leads to ${found.real}, which is no project's settings. Nothing was changed.`,
      )
  }
  const { state, decided } = placeOf(t, home, folder)
  const files = decided?.trusted ? decided.files : {}
  const trusted = state === "trusted" || (state === "nothing" && decided?.trusted !== false)
  return ok(({ before, after }) => {
    // What somebody else put there in between is not the user's own.
    const pinned = state === "trusted" && Object.hasOwn(files, path) ? (files[path] ?? null) : null
    if (!trusted || (before === null ? null : sha256(before)) !== pinned) return ok(false)
    const kept = keep(t, home, folder, {
      trusted: true,
      files: { ...(state === "trusted" ? files : {}), [path]: sha256(after) },
    })
    return kept.ok ? ok(true) : kept
  })
}
