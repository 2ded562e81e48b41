import type { Trusted } from "@gong/spec"
import { createLocalHost } from "@gong/tools/host/local"
import { english } from "@gong/texts/translator"
import { decide } from "../../src/trust/decide.ts"
import { findActiveContent } from "../../src/trust/active-content.ts"

/** As if the user had trusted the current content of the folder. */
export async function trust(root: string): Promise<Trusted> {
  const content = await findActiveContent(english, createLocalHost({ cwd: "/" }), root)
  const { trusted } = decide(english, { content, flag: "yes", store: new Map() })
  if (trusted === null) throw new Error("the folder of a test is trusted")
  return trusted
}
