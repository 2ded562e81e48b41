import type { Host } from "@gong/spec"
import type { Operations } from "../operations.ts"
import type { RipgrepOptions } from "../search/ripgrep.ts"
import { truncateLine } from "../truncate.ts"
import type { SearchEvent, Search, Searched } from "./engine.ts"
import { searchByRipgrep } from "./ripgrep.ts"

export interface Row {
  /** Null for a remark about the whole file. */
  readonly line: number | null
  readonly text: string
  readonly hit: boolean
  readonly cut: boolean
}

export interface FoundFile {
  readonly matches: number
  readonly rows: readonly Row[]
}

export interface Found extends Searched {
  /** By path relative to the folder, sorted. */
  readonly files: ReadonlyMap<string, FoundFile>
  readonly matches: number
  /** There were more matches than the limit. */
  readonly more: boolean
}

interface Engines extends RipgrepOptions {
  readonly operations?: Operations
}

/** Searches with ripgrep, or with the walker if ripgrep is missing. Stops one match after the limit. */
export async function search(host: Host, options: Engines, wanted: Search): Promise<Found> {
  const found = collector(wanted)
  // ripgrep cannot read files of substituted operations.
  const byRipgrep = options.operations?.readFile ? null : await searchByRipgrep(host, options, wanted, found.onEvent)
  if (byRipgrep !== null) return found.all(byRipgrep)
  const { searchByWalking } = await import("../walk/search.ts")
  return found.all(await searchByWalking(host, wanted, found.onEvent))
}

/** Maximum rows to keep; more would be cut by bytes anyway. */
const ROWS_MAX = 20_000

/** Collects matches up to the limit, with their context lines. */
function collector(wanted: Pick<Search, "limit" | "before" | "after" | "mode">) {
  const files = new Map<string, { matches: number; rows: Row[] }>()
  let matches = 0
  let rows = 0
  let more = false
  /** Context lines before the next match, if there is one. */
  let waiting: Row[] = []
  let last = { path: "", line: 0 }

  const fileOf = (path: string) => {
    const known = files.get(path) ?? { matches: 0, rows: [] }
    files.set(path, known)
    return known
  }
  const add = (path: string, added: readonly Row[]) => {
    fileOf(path).rows.push(...added)
    rows += added.length
  }
  const takeLine = ({ path, line, text, hit }: Extract<SearchEvent, { line: number }>): boolean => {
    const full = matches >= wanted.limit
    const row = rowOf(line, text, hit && !full)
    const near = path === last.path && line <= last.line + wanted.after
    more ||= hit && full
    if (full || !hit) {
      if (near) add(path, [row])
      else if (!full && wanted.before > 0) waiting = [...waiting, row].slice(-wanted.before)
      return rows < ROWS_MAX && (near || !more)
    }
    add(path, [...waiting, row])
    waiting = []
    fileOf(path).matches++
    matches++
    last = { path, line }
    return rows < ROWS_MAX
  }

  return {
    onEvent(event: SearchEvent): boolean {
      const { path } = event
      if ("line" in event) {
        if (path !== last.path) last = { path, line: -Infinity }
        return takeLine(event)
      }
      waiting = []
      if ("remark" in event) {
        const file = fileOf(path)
        if (event.instead) file.rows = []
        file.rows.push({ line: null, text: event.remark, hit: true, cut: false })
        return true
      }
      more = files.size >= wanted.limit
      if (more) return false
      fileOf(path).matches = event.count
      matches += event.count
      return true
    },
    all: (searched: Searched): Found => ({
      ...searched,
      files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
      matches,
      more,
    }),
  }
}

/** Cuts a long line here, so that a huge line is not kept in memory. */
function rowOf(line: number, text: string, hit: boolean): Row {
  const { content, truncated } = truncateLine(text)
  return { line, text: truncated ? Buffer.from(content).toString() : content, hit, cut: truncated }
}
