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
 * Protects auto-run files: files that programs outside the sandbox run. They are read-only for a command, unless it may
 * have git replace them, since git would stop half-way. After such a command, and if new files appeared, Gong checks
 * the result: a file may stay only if a commit from before the session contains it, or a user permitted it.
 */
export interface AutorunGuard {
  /** Called before a command. `fetchesIn`: the folder in which the command only fetches from a remote. */
  start(command: string | readonly string[], fetchesIn: string | null): Promise<GuardedCommand>
  /** Runs a command that the user permitted; its new files may stay. */
  outside<T>(run: () => Promise<T>): Promise<T>
  /** Called before a permitted write, with the real path, so that the new content may stay. */
  writes(path: string, content: FileContent): void
}

export interface GuardedCommand {
  /** Must be read-only for the command. */
  readonly readOnlyPaths: readonly string[]
  /** Runs the command and checks its changes. Files that were moved away are noted in the result. */
  around(run: () => Promise<ExecResult>): Promise<ExecResult>
}

/** The state when a command starts. */
interface Before {
  readonly paths: ReadonlySet<string>
  readonly replaces: boolean
  /** Contents of paths that are not read-only. */
  readonly open: ReadonlyMap<string, Contents>
}

export function createAutorunGuard(host: Host, options: SandboxOptions, ask: AskGit): AutorunGuard {
  const finder = createAutorunFinder(options.tier === "workspace" ? options.autorun : [])
  const contentsOf = createContents()
  const known = createGitHistory(ask)
  const permitted = createPermitted()
  /** States of the running commands. */
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
    // A path that another running command may have written proves nothing.
    const isTheirs = (path: string) => [...running].some((one) => one.replaces || !one.paths.has(path))
    for (const [path, contents] of open) if (!isTheirs(path)) permitted.add(contents)
    return { paths: new Set(found.map(({ path }) => path)), replaces, open }
  }
  const mayStay = (root: string) => async (file: string, content: Content) =>
    permitted.has(file, content) || known.has(root, file, content)
  /** Runs one at a time. Changes by a background command are cleared when the next command ends. */
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
          // A failed command may have run partly.
          const ended = await run().catch((error: unknown) => ({ error }))
          // Another running command could have written the fetched references.
          if (isFirst && running.size === 1 && started === turn) await learn?.()
          const notes = await clearAll().finally(() => running.delete(before))
          if ("error" in ended) throw ended.error
          return withNotes(ended, notes)
        },
      }
    },
    async outside(run) {
      // Without a command in the sandbox no other writer exists.
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

/** Moves away what is new and may not stay. Returns the notes for the model. */
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

/** Nobody opens the temp folder as a project. */
async function projectsIn(host: Host, roots: readonly string[]): Promise<readonly string[]> {
  const temp = await host.realpath(host.tmp).catch(() => host.tmp)
  return roots.filter((root) => root !== temp)
}

/** Contents by path, of files that can be restored. */
function readable(found: readonly AutorunFile[], contentsOf: (path: string) => Contents | null): Map<string, Contents> {
  const open = new Map<string, Contents>()
  for (const { path, isClosed } of found) {
    const contents = isClosed ? null : contentsOf(path)
    const isWhole = contents !== null && [...contents.values()].every(({ bytes }) => bytes !== null)
    if (isWhole) open.set(path, contents)
  }
  return open
}
