import type { Trusted } from "@gong/spec"
import { createLocalHost } from "@gong/tools/host/local"
import { english } from "@gong/texts/translator"
import { decide } from "../../src/trust/decide.ts"
import { findSurface } from "../../src/trust/surface.ts"

/** As if the user had trusted the current content of the folder. */
export async function trust(root: string): Promise<Trusted> {
  const surface = await findSurface(english, createLocalHost({ cwd: "/" }), root)
  const { trusted } = decide(english, { surface, flag: "yes", store: new Map() })
  if (trusted === null) throw new Error("the folder of a test is trusted")
  return trusted
}
