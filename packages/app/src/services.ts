import type { Clock, Hosts, Ids, Sessions } from "@gong/spec"
import type { SyncMode } from "./compose/tapes/sessions.ts"
import type { Language } from "@gong/texts/language"
import type { Translate } from "@gong/texts/translator"

/** The machine and the user of a process. */
export interface Environment {
  /** Of Gong. */
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly userHome: string
  readonly temp: string
  readonly platform: string
  /** Null on systems without user ids. */
  readonly uid: number | null
  /** The version of Node. */
  readonly node: string
  /** Its full path. */
  readonly execPath: string
  /** Minutes east of UTC. */
  readonly utcOffset: number
}

/** The implementations of ports for all sessions of a process. */
export interface ProcessPorts {
  readonly clock: Clock
  readonly ids: Ids
  readonly hosts: Hosts
  /** `thread-pool` in a process of many sessions, so that a slow disk does not block the others. */
  readonly syncMode: SyncMode
  /** The storage of sessions; `home` is Gong's folder. Default: files in it. */
  readonly sessionsIn?: (home: string) => Sessions
  /** Called at the start of the first reply of a model. */
  readonly onFirstReply?: () => void
}

/** The dependencies of all sessions of a process, or of a client of a server; independent of a command line and a terminal. */
export interface Services extends Environment, ProcessPorts {
  /** Texts in the language of the reader. */
  readonly t: Translate
  /** Sets the language of `t`: first that of the locale, then that of the settings. */
  setLocale(language: Language): Promise<void>
  /** One whole line about a problem, for the user. */
  warn(line: string): void
}
