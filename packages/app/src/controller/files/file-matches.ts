import type { WorkspaceFiles } from "@gong/tools/workspace-files"
import type { ControllerState } from "../api.ts"
import type { FilesData } from "../data.ts"

/** Milliseconds after which the list of files is made anew, in the background. */
const LIST_AGE_MS = 5_000
const LIST_MAX_MS = 30_000
const DEFAULT_LIMIT = 50
/** So many of the shortest matching paths are ranked. */
const RANKED_MAX = 1_000
/** Characters of a query; more of them match nothing else. */
const QUERY_MAX = 200
/** Paths that are searched before it is known whether more are needed. */
const CHUNK = 5_000

interface Lister {
  /** The list that was made last. */
  files: Promise<WorkspaceFiles>
  madeAt: number
  isListing: boolean
}

/** Lists of the folders of sessions. */
const listers = new Map<string, Lister>()
const LISTERS_MAX = 8

/** Files and folders of the session's folder whose paths match the query; for an empty one those at the top. */
export async function fileMatches(state: ControllerState, query: string, limit = DEFAULT_LIMIT): Promise<FilesData> {
  const { paths, isComplete } = await filesOf(state)
  const typed = query.trim().slice(0, QUERY_MAX)
  const found = shortestMatches(paths, matcherOf(typed))
  const lower = typed.toLowerCase()
  const scored = found.map((path) => [scoreOf(path.toLowerCase(), lower), path] as const)
  const best = scored.sort(([one], [other]) => one - other).map(([, path]) => path)
  return { paths: best.slice(0, limit), more: best.length > limit, complete: isComplete }
}

function filesOf(state: ControllerState): Promise<WorkspaceFiles> {
  const { clock } = state.services
  const { host, info } = state.current
  const key = `${host.id}\0${info.cwd}`
  const known = listers.get(key)
  if (known === undefined) {
    const lister = { files: list(state), madeAt: clock.now(), isListing: false }
    lister.files.catch(() => listers.delete(key))
    for (const oldest of listers.keys()) if (listers.size >= LISTERS_MAX) listers.delete(oldest)
    listers.set(key, lister)
    return lister.files
  }
  if (!known.isListing && clock.now() - known.madeAt > LIST_AGE_MS) {
    known.isListing = true
    const next = list(state)
    const end = (): void => {
      known.isListing = false
      known.madeAt = clock.now()
    }
    next
      .then(
        () => (known.files = next),
        () => undefined,
      )
      .finally(end)
  }
  return known.files
}

async function list({ services: { clock }, current: { host, info } }: ControllerState): Promise<WorkspaceFiles> {
  const { workspaceFiles } = await import("@gong/tools/workspace-files")
  const stop = new AbortController()
  const cancel = clock.timer(LIST_MAX_MS, () => stop.abort())
  try {
    return await workspaceFiles(host, info.cwd, { clock, signal: stop.signal })
  } finally {
    cancel()
  }
}

/** `paths`: the shortest first. */
function shortestMatches(paths: readonly string[], matches: Matcher): readonly string[] {
  const found: string[] = []
  for (let at = 0; at < paths.length && found.length < RANKED_MAX; at += CHUNK)
    found.push(...matches(paths.slice(at, at + CHUNK)))
  return found.slice(0, RANKED_MAX)
}

type Matcher = (paths: readonly string[]) => readonly string[]

/**
 * The characters of the query in their order, with others between them. Linear: a regular expression with a gap between any two
 * characters takes seconds for one long path of equal letters.
 */
function matcherOf(query: string): Matcher {
  if (query === "") return (paths) => paths.filter((path) => /^[^/]+\/?$/.test(path))
  const characters = [...query.normalize("NFC").toLowerCase().replaceAll(/\s+/g, "")]
  const isAscii = /^[\x20-\x7e]*$/.test(query)
  return (paths) =>
    paths.filter((path) => {
      const lower = (isAscii ? path : path.normalize("NFC")).toLowerCase()
      let at = 0
      return characters.every((character) => {
        const found = lower.indexOf(character, at)
        at = found + character.length
        return found >= 0
      })
    })
}

/** Lower is better. */
function scoreOf(path: string, query: string): number {
  const name = path.replace(/\/$/, "").split("/").at(-1) ?? ""
  if (name === query || path === query) return 0
  if (name.startsWith(query)) return 1
  if (path.startsWith(query)) return 2
  if (name.includes(query)) return 3
  return path.includes(query) ? 4 : 5
}
