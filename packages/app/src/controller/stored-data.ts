import type { FileChange, Usage } from "@gong/spec"

export interface StatsData {
  readonly entries: number
  readonly runs: number
  readonly calls: number
  readonly usage: Usage
  /** US dollars; null if any price is unknown. */
  readonly cost: number | null
  /** US dollars of the requests with known cost. */
  readonly knownCost: number
  /** The part that was charged in yuan; absent if there is none. */
  readonly costCny?: number
  readonly models: Readonly<Record<string, ModelSpending>>
  readonly files: readonly FileChange[]
}

export interface ModelSpending {
  readonly usage: Usage
  readonly cost: number | null
  readonly knownCost: number
  readonly costCny?: number
  readonly calls: number
}

export interface SessionsData {
  readonly sessions: readonly StoredSession[]
  readonly total: number
  /** Sessions that are not indexed yet; usually 0. */
  readonly unread: number
}

export interface StoredSession {
  readonly id: string
  readonly name: string | null
  readonly title: string | null
  readonly cwd: string
  readonly workspace: string
  readonly created: string
  /** ISO 8601, UTC, of the last write. */
  readonly modified: string
  readonly model: string | null
  readonly turns: number
  /** US dollars of the requests with known prices. */
  readonly cost: number
}

export interface SearchData {
  readonly hits: readonly SearchHit[]
  readonly total: number
  readonly unread: number
}

export interface SearchHit {
  readonly session: string
  readonly title: string | null
  readonly entry: string
  readonly time: string
  readonly text: string
  /** Start and end of each match in the text. */
  readonly marks: readonly (readonly [number, number])[]
}
