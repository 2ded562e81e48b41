import type { Entry } from "./entry.ts"
import type { Damage, TapeInfo } from "../ports/store.ts"

/** The minimum that locates a session; every `Store` is one. */
export interface SessionRef {
  readonly id: string
  /** Its location, for people; null if it has none. */
  readonly path: string | null
}

/** A stored session, as known without opening it. */
export interface StoredSession extends SessionRef {
  readonly info: TapeInfo
  /** Time of the last write, in milliseconds since the epoch. */
  readonly modified: number
}

/** A possible session that cannot be read; the others are listed all the same. */
export interface UnreadableSession {
  readonly path: string
  /** `EACCES`, `EIO`, ... */
  readonly code: string
}

/** The process that has a session open for writing. */
export interface SessionHolder {
  readonly pid: number
  /** The machine's name; empty if unknown. */
  readonly host: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** A row in a list of sessions. */
export interface ListedSession extends SessionRef {
  readonly cwd: string
  readonly workspace: string
  /** ISO 8601, UTC. */
  readonly created: string
  /** Time of the last write, in milliseconds since the epoch. */
  readonly modified: number
  /** Source of a fork. */
  readonly from: { readonly id: string; readonly entry: string } | null
  /** Number of damaged lines that were skipped. */
  readonly damaged: number
  /** The first line of the first message. */
  readonly title: string | null
  /** Its latest name. */
  readonly name: string | null
  /** `provider/id` of the last used model. */
  readonly model: string | null
  readonly entries: number
  readonly prompts: number
  readonly replies: number
  readonly calls: number
  readonly bytes: number
  /** US dollars; the sum of all known prices. */
  readonly cost: number
  /** Cost in yuan, from price lists in yuan. */
  readonly costCny: number
  /** Number of requests without a known price. */
  readonly unpriced: number
}

/** A section of text around a match. */
export interface Snippet {
  readonly text: string
  /** Matches as [from, to]. */
  readonly marks: readonly (readonly [number, number])[]
}

/** An entry with a match. */
export interface SessionHit {
  /** Id and path of the session. */
  readonly session: string
  readonly path: string | null
  readonly workspace: string
  /** The session's name, or its title. */
  readonly title: string | null
  readonly entry: Entry
  readonly metadata: unknown
  readonly snippet: Snippet
  /** Number of matching entries in this session, as far as counted. */
  readonly inSession: number
}

/** Totals over all sessions. */
export interface SessionStats {
  readonly sessions: number
  readonly workspaces: number
  readonly entries: number
  readonly prompts: number
  readonly replies: number
  readonly calls: number
  readonly bytes: number
  /** US dollars; the sum of all known prices. */
  readonly cost: number
  /** Cost in yuan, from price lists in yuan. */
  readonly costCny: number
  readonly unpriced: number
  readonly damaged: number
  /** By the last used model of a session, most expensive first. */
  readonly models: readonly ModelStats[]
}

export interface ModelStats {
  /** Null: no model was selected. */
  readonly model: string | null
  readonly sessions: number
  /** US dollars; the sum of all known prices. */
  readonly cost: number
  /** Cost in yuan, from price lists in yuan. */
  readonly costCny: number
  /** Number of replies without a known price. */
  readonly unpriced: number
}

/** Outcome of checking every line and artifact of a session. */
export interface VerifiedSession {
  readonly id: string
  /** Each file of lines with its number of valid entries. */
  readonly files: readonly { readonly file: string; readonly valid: number }[]
  readonly problems: readonly LineProblem[]
  readonly artifacts: {
    readonly checked: number
    /** Artifacts whose bytes do not match their hash. */
    readonly damaged: readonly string[]
    /** Missing artifacts, and the entries that name them. */
    readonly missing: readonly { readonly artifact: string; readonly entry: string }[]
  }
}

export interface LineProblem extends Damage {
  /** Counts from 1. */
  readonly line: number
}

/** A session from a file of another program. */
export interface ImportedSession {
  /** Used if it is valid and not taken. */
  readonly id: string
  /** Absent: this machine. */
  readonly host?: string
  readonly cwd: string
  readonly workspace: string
  /** ISO 8601. */
  readonly created: string
  /** In order; every parent precedes its child, null for the first. */
  readonly entries: readonly Entry[]
}
