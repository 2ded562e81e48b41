import { readConfig } from "../../build/config.ts"
import type { Options } from "../../config/flags.ts"
import { attempt, codeOf, must, type Outcome, usage } from "../../config/usage.ts"
import type { TrustState } from "../../slash/command.ts"
import { saveTrust } from "../../trust/store.ts"
import { findSurface } from "../../trust/surface.ts"
import type { World } from "../../world.ts"

export function trustState(world: World, options: Options): Promise<Outcome<TrustState>> {
  return attempt(async () => {
    const { workspace, trusted } = must(await readConfig(world, options))
    const { root, summary, files } = findSurface(workspace.folder)
    return { root, summary, files: [...files.keys()], trusted: trusted !== null }
  })
}

/** Remembers what was said about the folder as it is now. */
export function rememberTrust(world: World, options: Options, trusted: boolean): Promise<Outcome<null>> {
  return attempt(async () => {
    const { home, workspace } = must(await readConfig(world, options))
    const { root, files, tooLarge } = findSurface(workspace.folder)
    if (trusted && tooLarge) return must(usage(`${root} brings too many files that can act to be judged.`))
    try {
      saveTrust(home, root, { trusted, files: Object.fromEntries(files) })
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error
      return must(usage(`${home}/trust.json cannot be written (${codeOf(error)}).`))
    }
    return null
  })
}
