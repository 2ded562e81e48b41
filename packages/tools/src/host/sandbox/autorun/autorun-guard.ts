import type { ExecResult, FileContent, Host } from "@gong/spec"
import { isInside } from "../../../posix-path.ts"
import { lstatOf } from "../disk.ts"
import type { SandboxOptions } from "../options.ts"
import type { AskGit } from "../git/ask-git.ts"
import { withNotes } from "../review/review.ts"
import { restorePath } from "./restore.ts"
import { type Content, type Contents, createContents } from "./contents.ts"
import { createGitHistory } from "./git-history.ts"
import { createAutorunFinder, type AutorunFile } from "./finder.ts"
import { createPermitted, newIn } from "./permitted.ts"
import { mayReplaceFiles } from "./replaces-files.ts"

/**
 * Keeps what programs outside the sandbox run. A command finds it read-only, but for one by which git may replace it: git would
 * stop half-way. After that one, and where something is new, Gong looks at what has come, and only what a commit of before
 * the session held or somebody has permitted stays.
 */
export interface AutorunGuard {
  /** To be called before a command is run. `fetchesIn`: the folder in which it does nothing but fetch from elsewhere. */
  start(command: string | readonly string[], fetchesIn: string | null): Promise<GuardedCommand>
  /** Runs a command that a person has permitted: what is new by it stays. */
  outside<T>(run: () => Promise<T>): Promise<T>
  /** Must be told before a file is written with permission, by its real path: nothing else passes by it. */
  writes(path: string, content: FileContent): void
}

export interface GuardedCommand {
  /** Must be read-only for the command. */
  readonly readOnlyPaths: readonly string[]
  /** Runs it and looks at what it has left; what was taken out of the way is a note of the result. */
  around(run: () => Promise<ExecResult>): Promise<ExecResult>
}

/** What was there when a command began. */
interface Before {
  readonly paths: ReadonlySet<string>
  readonly replaces: boolean
  /** Of what is not held, by place. */
  readonly open: ReadonlyMap<string, Contents>
}

export function createAutorunGuard(host: Host, options: SandboxOptions, ask: AskGit): AutorunGuard {
  const finder = createAutorunFinder(options.tier === "workspace" ? options.autorun : [])
  const contentsOf = createContents()
  const known = createGitHistory(ask)
  const permitted = createPermitted()
  /** Of the commands that run now. */
  const running = new Set<Before>()
  let started = 0
  let projects: readonly string[] | undefined
  let cleared: Promise<unknown> = Promise.resolve()

  const isKept = (path: string) => options.kept.some((kept) => isInside(kept, path))
  const findAll = () => (projects ?? []).flatMap(finder.in).filter(({ path }) => !isKept(path))
  const allContents = (): Contents => new Map(findAll().flatMap(({ path }) => [...(contentsOf(path) ?? [])]))

  const begin = async (command: string | readonly string[]): Promise<Before> => {
    projects ??= options.autorun.length === 0 ? [] : await projectsIn(host, options.roots)
    await Promise.all(projects.map(known.begin))
    const found = findAll()
    const replaces = mayReplaceFiles(command)
    const open = replaces ? readable(found, contentsOf) : new Map<string, Contents>()
    // What another command may have put there counts for nothing.
    const isTheirs = (path: string) => [...running].some((one) => one.replaces || !one.paths.has(path))
    for (const [path, contents] of open) if (!isTheirs(path)) permitted.add(contents)
    return { paths: new Set(found.map(({ path }) => path)), replaces, open }
  }
  const mayStay = (root: string) => async (file: string, content: Content) =>
    permitted.has(file, content) || known.has(root, file, content)
  /** One after the other. What a command in the background has left goes with the next one that ends. */
  const clearAll = async () => {
    const all = cleared.then(async () => {
      const notes: (readonly string[])[] = []
      for (const before of running) notes.push(await clear(before, findAll(), contentsOf, mayStay))
      return notes.flat()
    })
    cleared = all.catch(() => undefined)
    return all
  }
  return {
    async start(command, fetchesIn) {
      const before = await begin(command)
      const root = projects?.find((one) => fetchesIn !== null && isInside(one, fetchesIn))
      const learn = root === undefined ? null : await known.fetching(root)
      return {
        readOnlyPaths: [...before.paths].filter((path) => !before.open.has(path)),
        async around(run) {
          running.add(before)
          const [turn, isFirst] = [++started, running.size === 1]
          // One that fails may have run before.
          const ended = await run().catch((error: unknown) => ({ error }))
          // Another command could have written what it seems to have brought.
          if (isFirst && running.size === 1 && started === turn) await learn?.()
          const notes = await clearAll().finally(() => running.delete(before))
          if ("error" in ended) throw ended.error
          return withNotes(ended, notes)
        },
      }
    },
    async outside(run) {
      // Without a command inside there is nobody else.
      if (running.size === 0) return run()
      const before = allContents()
      const done = await run()
      permitted.add(newIn(allContents(), before))
      return done
    },
    writes(path, content) {
      const root = projects?.find((one) => isInside(one, path) && finder.names(path.slice(one.length + 1)))
      if (running.size === 0 || root === undefined) return
      const bytes = content instanceof Uint8Array ? content : Buffer.concat(content)
      permitted.add(new Map([[path, { bytes, mode: lstatOf(path)?.mode ?? 0, links: 1 }]]))
    },
  }
}

/** Takes out of the way what is there now, was not before and may not stay; gives what the model is told of it. */
async function clear(
  { paths, open }: Before,
  found: readonly AutorunFile[],
  contentsOf: (path: string) => Contents | null,
  mayStay: (root: string) => (file: string, content: Content) => Promise<boolean>,
): Promise<readonly string[]> {
  const notes: (readonly string[])[] = []
  for (const { root, path, isClosed } of found) {
    const old = open.get(path) ?? null
    if (old === null && paths.has(path)) continue
    const now = isClosed ? null : contentsOf(path)
    notes.push(await restorePath({ path, now, old, mayStay: mayStay(root) }))
  }
  return notes.flat()
}

/** In the temporary folder nobody opens an editor. */
async function projectsIn(host: Host, roots: readonly string[]): Promise<readonly string[]> {
  const temp = await host.realpath(host.tmp).catch(() => host.tmp)
  return roots.filter((root) => root !== temp)
}

/** Contents by place, of what can be put back. */
function readable(found: readonly AutorunFile[], contentsOf: (path: string) => Contents | null): Map<string, Contents> {
  const open = new Map<string, Contents>()
  for (const { path, isClosed } of found) {
    const contents = isClosed ? null : contentsOf(path)
    const isWhole = contents !== null && [...contents.values()].every(({ bytes }) => bytes !== null)
    if (isWhole) open.set(path, contents)
  }
  return open
}
