import { decideTrust } from "../compose/permissions/trust.ts"
import { type FolderTrust, folderTrust, removeDecision, storeDecision } from "../administration/trust/folder-trust.ts"
import { shownTrustFiles, trustFileLines } from "../administration/trust/show.ts"
import { trustSummary } from "../administration/trust/texts.ts"
import { trustName } from "@gong/config/trust/folder-files"
import { attempt, must, type Outcome } from "@gong/config/usage"
import type { ControllerContext } from "../controller/api.ts"
import type { Translate } from "@gong/texts/translator"

export interface TrustState {
  readonly root: string
  /** The active content of the folder; "" for none. */
  readonly summary: string
  readonly files: readonly string[]
  /** The active content is loaded. */
  readonly trusted: boolean
  /** The state in one line, for the user. */
  readonly standing: string
  /** Whole lines: the active content that is not loaded, with its changes since it was trusted. */
  readonly open: readonly string[]
}

/** The state and the folder as it was read, so that a decision applies only to the shown content. */
export function trustState({
  services,
  spec,
}: ControllerContext): Promise<Outcome<TrustState & { readonly folder: FolderTrust }>> {
  return attempt(async () => {
    const folder = must(await folderTrust(services, spec))
    const { content, state, home } = folder
    const location = { host: content.host, folder: content.root }
    const decided = spec.bare === true ? null : await decideTrust(services, spec, home, location)
    const isOpen = state !== "trusted" && state !== "nothing" && !content.tooLarge
    return {
      folder,
      root: content.root,
      summary: content.summary,
      files: [...content.files.keys()],
      trusted: decided !== null && decided.trusted !== null,
      standing: trustSummary(services.t, folder),
      open: isOpen ? trustFileLines(services.t, await shownTrustFiles(services.t, folder)) : [],
    }
  })
}

/** `forget` removes the decision. */
export function setTrust(t: Translate, folder: FolderTrust, decision: "yes" | "no" | "forget"): Promise<Outcome<null>> {
  return attempt(async () => {
    if (decision === "forget") must(removeDecision(t, folder.home, trustName(folder.content)))
    else must(await storeDecision(t, folder, decision))
    return null
  })
}
