import { localHost } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import { decide, type TrustAnswer } from "@gong/config/trust/decide"
import type { TrustHost } from "@gong/spec"
import { trustName } from "@gong/config/trust/folder-files"
import { readTrust, type TrustDecision } from "@gong/config/trust/store"
import { findActiveContent, type ActiveContent } from "@gong/config/trust/active-content"
import type { Services } from "../../services.ts"
import type { Translate } from "@gong/texts/translator"

/**
 * What `--trust yes` was said to, in this process: folders as they were when they were first looked at. Settings and
 * commands are looked at again while a session is open, and what the model has changed by then nobody has said yes to.
 */
const saidYes = new WeakMap<Services, Map<string, TrustDecision>>()

/** Whether what the workspace brings may act in this run. */
export async function decideTrust(
  services: Services,
  spec: SessionSpec,
  home: string,
  { host, folder }: { readonly host: TrustHost; readonly folder: string },
): Promise<TrustAnswer> {
  const surface = await surfaceOf(services.t, host, folder, home)
  const flag = spec.trust ?? null
  if (flag !== "yes" || surface.tooLarge) return decideFor(services.t, surface, flag, home)
  const folders = saidYes.get(services) ?? new Map<string, TrustDecision>()
  saidYes.set(services, folders)
  const name = trustName(surface)
  const before = folders.get(name)
  if (before === undefined) folders.set(name, { trusted: true, files: Object.fromEntries(surface.files) })
  return before === undefined
    ? decide(services.t, { surface, flag, store: new Map() })
    : decide(services.t, { surface, flag: null, store: folders })
}

function decideFor(t: Translate, surface: ActiveContent, flag: "yes" | "no" | null, home: string): TrustAnswer {
  const { store, problem } = readTrust(t, home)
  const answer = decide(t, { surface, flag, store })
  // Who said what they want for this run does not depend on the file.
  return problem === null || flag !== null ? answer : { ...answer, line: nothingTrusted(t, problem) }
}

/** One whole line. */
export function nothingTrusted(t: Translate, problem: string): string {
  return t`gong: ${problem} Until then no folder is trusted.`
}

/** What a folder brings that acts; the user's own home is no project, also for who works in the folder that holds it. */
export async function surfaceOf(t: Translate, host: TrustHost, folder: string, home: string): Promise<ActiveContent> {
  const [looked] = host.id === localHost ? await host.look([home]) : []
  const own = looked === undefined ? [] : [home, ...(looked.ok ? [looked.value.real] : [])]
  return findActiveContent(t, host, folder, own)
}
