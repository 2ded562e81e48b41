import { phrase, ownFolder } from "@gong/spec"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { findAll, sha256 } from "@gong/config/trust/folder-files"
import type { ActiveContent } from "@gong/config/trust/active-content"
import { saveDecision, trustOf } from "./folder-trust.ts"
import type { Translate } from "@gong/texts/translator"

const settingsPath = `${ownFolder}/settings.json`

/** A change of the project's settings by the user, made through Gong. */
export interface SettingsChange {
  /** The previous text; null for none. */
  readonly before: string | null
  /** The new text. */
  readonly after: string
}

/**
 * Extends the trust of a folder to a settings change of the user. If the folder was trusted, or had no active content, it is
 * also trusted with exactly the written bytes; otherwise nothing changes. Called before the change; returns a function to
 * call after it, which resolves with whether the new settings are trusted.
 */
export async function trustExtension(
  t: Translate,
  home: string,
  folder: Pick<ActiveContent, "host" | "root">,
): Promise<Outcome<(change: SettingsChange) => Promise<Outcome<boolean>>>> {
  const paths = [ownFolder, settingsPath]
  for (const [at, found] of (await findAll(folder.host, folder.root, paths)).entries()) {
    if (found?.kind === "outside")
      return usage(
        phrase`${folder.root}/${paths[at]} is a link to ${found.real}, outside of the project. Nothing was changed.`,
      )
  }
  const { state, decided } = await trustOf(t, home, folder)
  const files = decided?.trusted ? decided.files : {}
  const trusted = state === "trusted" || (state === "nothing" && decided?.trusted !== false)
  return ok(async ({ before, after }) => {
    // A change of another process in between is not trusted.
    const pinned = state === "trusted" && Object.hasOwn(files, settingsPath) ? (files[settingsPath] ?? null) : null
    if (!trusted || (before === null ? null : sha256(before)) !== pinned) return ok(false)
    const saved = await saveDecision(t, home, folder, {
      trusted: true,
      files: { ...(state === "trusted" ? files : {}), [settingsPath]: sha256(after) },
    })
    return saved.ok ? ok(true) : saved
  })
}
