import { hostOf, localHost, type StoredSession } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome } from "@gong/config/usage"
import type { Services } from "../services.ts"
import { type Config, readConfig } from "./config.ts"
import { chosenSession } from "./tapes/find-session.ts"
import { storageOf, type TapeStorage } from "./tapes/storage.ts"
import type { OpenedTape } from "./tapes/tape.ts"

export interface Located {
  readonly config: Config
  readonly storage: TapeStorage
  /** The stored session to continue; null if there is none, or it is already open. */
  readonly stored: StoredSession | null
}

/**
 * Reads the configuration on the host of the session: of the continued one, else of a new one. A session on an unknown host
 * is a usage error.
 */
export function locateSession(
  services: Services,
  spec: SessionSpec,
  opened: OpenedTape | null,
): Promise<Outcome<Located>> {
  const { hosts } = services
  const read = async (id: string, cwd: string | undefined): Promise<Pick<Located, "config" | "storage">> => {
    const config = must(await readConfig(services, { ...spec, ...(cwd === undefined ? {} : { cwd }) }, { hosts, id }))
    return { config, storage: storageOf(services, config) }
  }
  /** The current folder of a command line is on this machine. */
  const readFor = ({ host, cwd }: { readonly host?: string; readonly cwd: string }) =>
    read(hostOf({ host }), hostOf({ host }) === localHost ? undefined : cwd)
  return attempt(async () => {
    if (opened) return { ...(await readFor(opened.tape.store.info)), stored: null }
    const requested = await read(spec.host ?? localHost, undefined)
    const stored = must(await chosenSession(requested.storage, spec.tape ?? { kind: "new" }))
    const isSameHost = stored === null || hostOf(stored.info) === requested.config.host.id
    return isSameHost ? { ...requested, stored } : { ...(await readFor(stored.info)), stored }
  })
}
