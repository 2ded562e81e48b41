import { hostOf, localHost, type StoredSession } from "@gong/spec"
import type { SessionSpec } from "@gong/config/session-spec"
import { attempt, must, type Outcome } from "@gong/config/usage"
import type { Services } from "../services.ts"
import { type Config, readConfig } from "./config.ts"
import { placeOf } from "./tapes/storage.ts"
import { chosenSession, type OpenedTape, type TapeStorage } from "./tapes/tape.ts"

export interface Located {
  readonly config: Config
  readonly place: TapeStorage
  /** The stored session to go on with; null where there is none, or it is open already. */
  readonly stored: StoredSession | null
}

/**
 * What the user and the folder say, read on the host of the session: of the one that is gone on with, else of a new one. A
 * session of a host that is not known here is a usage error.
 */
export function locateSession(
  services: Services,
  spec: SessionSpec,
  opened: OpenedTape | null,
): Promise<Outcome<Located>> {
  const { hosts } = services
  const read = async (id: string, cwd: string | undefined): Promise<Pick<Located, "config" | "place">> => {
    const where = { ...spec, ...(cwd === undefined ? {} : { cwd }) }
    const config = must(await readConfig(services, where, { hosts, id }))
    return { config, place: placeOf(services, config) }
  }
  /** The folder where a command line stands is one of this machine. */
  const readFor = ({ host, cwd }: { readonly host?: string; readonly cwd: string }) =>
    read(hostOf({ host }), hostOf({ host }) === localHost ? undefined : cwd)
  return attempt(async () => {
    if (opened) return { ...(await readFor(opened.tape.store.info)), stored: null }
    const asked = await read(spec.host ?? localHost, undefined)
    const stored = must(await chosenSession(asked.place, spec.tape ?? { kind: "new" }))
    const isThere = stored === null || hostOf(stored.info) === asked.config.host.id
    return isThere ? { ...asked, stored } : { ...(await readFor(stored.info)), stored }
  })
}
