import { createLocalHost } from "@gong/tools/host/local"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { findActiveContent } from "@gong/config/trust/active-content"
import { noServers } from "../program/harness.ts"
import { busyModel } from "./modes.ts"
import { layAll, openPlace, type Place, type Surface } from "./place.ts"
import { code } from "./surfaces/code.ts"
import { gitSettings } from "./surfaces/git.ts"
import { homes } from "./surfaces/homes.ts"
import { hooks } from "./surfaces/hooks.ts"
import { texts } from "./surfaces/texts.ts"
import { english } from "@gong/texts/translator"

const here = createLocalHost({ cwd: "/" })

/** Files that Gong itself would act on, and files that other programs act on. */
export const ofGong: readonly Surface[] = [...texts, ...homes, ...hooks.filter(({ control }) => control === "trusted")]
export const ofOthers: readonly Surface[] = [
  ...hooks.filter(({ control }) => control !== "trusted"),
  ...code,
  ...gitSettings,
]
export const surfaces: readonly Surface[] = [...ofGong, ...ofOthers]

/** A repository that brings all of it at once. */
export async function hostile(t: TestContext): Promise<Place> {
  let place: Place | null = null
  const opened = await openPlace(t, { otherwise: busyModel(() => place ?? opened) })
  place = opened
  mkdirSync(place.gongHome, { recursive: true, mode: 0o700 })
  writeFileSync(join(place.gongHome, "models.json"), noServers)
  await place.gong(["-pq", "--session-id", "forged", place.mark("forged-session")], {
    env: { GONG_HOME: join(place.root, "forged") },
  })
  layAll(place, surfaces)
  // It even brings the decision that it is to be trusted.
  place.write({ ".gong/trust.json": await yesTo(place) })
  place.tripped()
  return place
}

/** A trust.json that trusts the content of the repository. */
export async function yesTo(place: Place): Promise<string> {
  const files = Object.fromEntries((await findActiveContent(english, here, place.repo)).files)
  return JSON.stringify({ [place.repo]: { trusted: true, files } })
}
