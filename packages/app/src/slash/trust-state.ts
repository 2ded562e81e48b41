import { decideTrust } from "../compose/permissions/trust.ts"
import { forget, remember, type TrustPlace, trustPlace } from "../administration/trust/place.ts"
import { shownFiles, textOfShown } from "../administration/trust/show.ts"
import { trustSummary } from "../administration/trust/words.ts"
import { trustName } from "@gong/config/trust/folder-files"
import { attempt, must, type Outcome } from "@gong/config/usage"
import type { ControllerContext } from "../controller/api.ts"
import type { Translate } from "@gong/texts/translator"

export interface TrustState {
  readonly root: string
  /** What the folder brings that can act; "" is nothing. */
  readonly summary: string
  readonly files: readonly string[]
  /** What of it acts now. */
  readonly trusted: boolean
  /** One line for people: how the folder stands. */
  readonly trustSummary: string
  /** Whole lines: what would act and does not, with what changed since it was trusted. */
  readonly open: readonly string[]
}

/** With the folder as it was read: a yes means what was shown, whatever the folder has become since. */
export function trustState({
  services,
  spec,
}: ControllerContext): Promise<Outcome<TrustState & { readonly place: TrustPlace }>> {
  return attempt(async () => {
    const place = must(await trustPlace(services, spec))
    const { surface, state, home } = place
    const at = { host: surface.host, folder: surface.root }
    const decided = spec.bare === true ? null : await decideTrust(services, spec, home, at)
    const isOpen = state !== "trusted" && state !== "nothing" && !surface.tooLarge
    return {
      place,
      root: surface.root,
      summary: surface.summary,
      files: [...surface.files.keys()],
      trusted: decided !== null && decided.trusted !== null,
      trustSummary: trustSummary(services.t, place),
      open: isOpen ? textOfShown(services.t, await shownFiles(services.t, place)) : [],
    }
  })
}

/** `forget`: nothing is decided any more. */
export function setTrust(t: Translate, place: TrustPlace, answer: "yes" | "no" | "forget"): Promise<Outcome<null>> {
  return attempt(async () => {
    if (answer === "forget") must(forget(t, place.home, trustName(place.surface)))
    else must(await remember(t, place, answer))
    return null
  })
}
