import type { FileChange, Usage } from "@gong/spec"

export interface StatsData {
  readonly entries: number
  readonly runs: number
  readonly calls: number
  readonly usage: Usage
  /** US dollars; null as soon as one price is not known. */
  readonly cost: number | null
  /** US dollars of those requests whose cost is known. */
  readonly knownCost: number
  /** What lists in yuan charged of it; absent where none did. */
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
  /** Sessions that were not read yet; 0 as a rule. */
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
  /** US dollars, of what has a known price. */
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
  /** Where in the text the words stand, from and to. */
  readonly marks: readonly (readonly [number, number])[]
}
