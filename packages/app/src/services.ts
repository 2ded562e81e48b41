import type { Clock, Hosts, Ids, Sessions } from "@gong/spec"
import type { SyncMode } from "./compose/tapes/sessions.ts"
import type { Language } from "@gong/texts/language"
import type { Translate } from "@gong/texts/translator"

/** The machine and the user, as a process finds them. */
export interface Environment {
  /** Of Gong. */
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly userHome: string
  readonly temp: string
  readonly platform: string
  /** The user's number; null where there are none. */
  readonly uid: number | null
  /** The version of the Node that runs this. */
  readonly node: string
  /** Its full path. */
  readonly execPath: string
  /** Minutes east of UTC. */
  readonly utcOffset: number
}

/** What stands behind the ports of all sessions of a process. */
export interface ProcessPorts {
  readonly clock: Clock
  readonly ids: Ids
  readonly hosts: Hosts
  /** `thread-pool` in a process of many sessions, so that a slow disk stops none of the others. */
  readonly syncMode: SyncMode
  /** Where sessions are kept; `home` is Gong's folder. Default: files in it. */
  readonly sessionsIn?: (home: string) => Sessions
  /** Called when the first reply of a model begins. */
  readonly onFirstReply?: () => void
}

/** What sessions are opened with, once for a process or for a client of a server. No session needs a command line or a terminal. */
export interface Services extends Environment, ProcessPorts {
  /** Texts in the language of the reader. */
  readonly t: Translate
  /** Sets the language of `t`: of the locale at first, then of the settings. */
  setLocale(language: Language): Promise<void>
  /** One whole line about a problem, for the user. */
  warn(line: string): void
}
