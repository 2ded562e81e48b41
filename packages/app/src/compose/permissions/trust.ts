import { localHost, type TrustHost } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import { decide, type TrustAnswer } from "@gong/config/trust/decide"
import { trustName } from "@gong/config/trust/folder-files"
import { readTrust, type TrustDecision } from "@gong/config/trust/store"
import { findActiveContent, type ActiveContent } from "@gong/config/trust/active-content"
import type { Services } from "../../services.ts"
import type { Translate } from "@gong/texts/translator"

/**
 * Folders that `--trust yes` trusted in this process, as they were at the first read. Settings and commands are read again
 * while a session is open, and must not include changes of the model.
 */
const trustedByFlag = new WeakMap<Services, Map<string, TrustDecision>>()

/** Whether the active content of the workspace is trusted in this run. */
export async function decideTrust(
  services: Services,
  spec: SessionSpec,
  home: string,
  { host, folder }: { readonly host: TrustHost; readonly folder: string },
): Promise<TrustAnswer> {
  const content = await activeContentOf(services.t, host, folder, home)
  const flag = spec.trust ?? null
  if (flag !== "yes" || content.tooLarge) return decideByStore(services.t, content, flag, home)
  const folders = trustedByFlag.get(services) ?? new Map<string, TrustDecision>()
  trustedByFlag.set(services, folders)
  const name = trustName(content)
  const before = folders.get(name)
  if (before === undefined) folders.set(name, { trusted: true, files: Object.fromEntries(content.files) })
  return before === undefined
    ? decide(services.t, { content, flag, store: new Map() })
    : decide(services.t, { content, flag: null, store: folders })
}

function decideByStore(t: Translate, content: ActiveContent, flag: "yes" | "no" | null, home: string): TrustAnswer {
  const { store, problem } = readTrust(t, home)
  const answer = decide(t, { content, flag, store })
  // The flag does not depend on the file.
  return problem === null || flag !== null ? answer : { ...answer, line: nothingTrusted(t, problem) }
}

/** One whole line for the user. */
export function nothingTrusted(t: Translate, problem: string): string {
  return t`gong: ${problem} Until then no folder is trusted.`
}

/** The active content of a folder. The user's own Gong folder is never part of a project, even if the project contains it. */
export async function activeContentOf(
  t: Translate,
  host: TrustHost,
  folder: string,
  home: string,
): Promise<ActiveContent> {
  const [found] = host.id === localHost ? await host.look([home]) : []
  const own = found === undefined ? [] : [home, ...(found.ok ? [found.value.real] : [])]
  return findActiveContent(t, host, folder, own)
}
