import { homedir, tmpdir } from "node:os"
import type { SyncMode } from "./compose/tapes/sessions.ts"
import { systemClock, systemIds } from "./ports.ts"
import type { Environment, ProcessPorts, Services } from "./services.ts"
import type { Language } from "@gong/texts/language"
import { english, translator } from "@gong/texts/translator"

/** The machine and the user of this process. Throws if the current folder was removed. */
export function processEnvironment(version: string): Environment {
  return {
    version,
    env: process.env,
    cwd: currentFolder(),
    userHome: homedir(),
    temp: tmpdir(),
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    node: process.version,
    execPath: process.execPath,
    utcOffset: -new Date().getTimezoneOffset(),
  }
}

/** The clock, randomness and the hosts of this process. */
export function processPorts(
  environment: Pick<Environment, "env" | "userHome" | "temp" | "cwd">,
  syncMode: SyncMode,
): ProcessPorts {
  return {
    clock: systemClock,
    ids: systemIds(systemClock),
    hosts: {
      // Loaded with the first session: most commands open none.
      async open(id, place) {
        const { machineHosts } = await import("./compose/hosts.ts")
        return machineHosts(environment, syncMode).open(id, place)
      },
    },
    syncMode,
  }
}

export interface ProcessServicesOptions {
  /** Of Gong. */
  readonly version: string
  /** Receives whole lines for the user. */
  warn(line: string): void
  /** Default: `thread-pool`, for a process of many sessions. */
  readonly syncMode?: SyncMode
}

/** Services for a program that opens sessions in its own process. */
export function processServices({ version, warn, syncMode = "thread-pool" }: ProcessServicesOptions): Services {
  let t = english
  const environment = processEnvironment(version)
  return {
    ...environment,
    ...processPorts(environment, syncMode),
    get t() {
      return t
    },
    async setLocale(language: Language) {
      t = await translator(language)
    },
    warn,
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new Error("the folder you are in is gone; go to another one")
  }
}
