import { availableParallelism } from "node:os"
import { type Host, type HostOpening, type HostPlace, type Hosts, hostOf, localHost, phrase } from "@gong/spec"
import type { ReadonlyTape } from "@gong/tape"
import { createLocalHost } from "@gong/tools/host/local"
import { ok, type Outcome, usage } from "@gong/config/usage"
import { shortId } from "@gong/session/short-id"
import type { Services } from "../services.ts"
import { lazily } from "./lazily.ts"
import type { SyncMode } from "./tapes/sessions.ts"

type Machine = Pick<Services, "env" | "userHome" | "temp" | "cwd">

/** The hosts of this process: only this machine. In a process of many sessions commands start one after the other. */
export function machineHosts({ env, userHome, temp, cwd }: Machine, syncMode: SyncMode = "at-once"): Hosts {
  const start = syncMode === "thread-pool" ? { spawns: sharedSpawns } : {}
  return {
    async open(id, place) {
      if (id !== localHost) return { ok: false, reason: phrase`there is no host "${id}" here.` }
      return { ok: true, host: createLocalHost({ env, home: userHome, tmp: temp, cwd, ...start, ...place }) }
    },
  }
}

/** Of all sessions of this process. */
const sharedSpawns = lazily(async () => {
  const { createSharedSpawns } = await import("@gong/tools/host/shared-spawns")
  return createSharedSpawns(2 * availableParallelism())
})

/** The host of a session: the available hosts, and the id of its own. */
export interface SessionHost {
  readonly hosts: Hosts
  readonly id: string
}

/** The host of a new session of the command line. */
export function localMachine({ hosts }: Pick<Services, "hosts">): SessionHost {
  return { hosts, id: localHost }
}

/** An unknown host is a usage error. */
export async function openHost({ hosts, id }: SessionHost, place: HostPlace = {}): Promise<Outcome<Host>> {
  const opening = await hosts.open(id, place)
  return opening.ok ? ok(opening.host) : usage(opening.reason)
}

/** The host of a session, for comparing and restoring its files; the refusal names the session. */
export async function hostOfTape(hosts: Hosts, { id, store }: ReadonlyTape): Promise<HostOpening> {
  const opening = await hosts.open(hostOf(store.info), { cwd: store.info.cwd })
  if (opening.ok) return opening
  const reason = phrase`session ${shortId(id)} works on another host, so it can only be read here: ${opening.reason}`
  return { ok: false, reason }
}
