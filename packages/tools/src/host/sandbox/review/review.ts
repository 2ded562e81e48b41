import type { ExecResult, Host } from "@gong/spec"
import { join } from "../../../posix-path.ts"
import { isThere } from "../disk.ts"
import type { Layout, Repository } from "../plan/mount.ts"
import * as texts from "../texts.ts"
import type { AskGit } from "../git/ask-git.ts"
import { linkText, moveAside, putLink, removeLink } from "./aside.ts"
import { createNestedRepositories, fingerprint } from "./gitlinks.ts"
import { createLinkScan, type Links } from "./links.ts"
import { type UnsafeLine, unsafeLines, removeLines } from "./unsafe-lines.ts"
import { gitFolderAt, whyUnsafe } from "./repositories.ts"

/** Checks after each command for changes that would make git run programs outside the sandbox, and moves them away. */
export interface Review {
  /** Runs a command and compares the state before and after. Moved files are noted in the result. */
  around(layout: ReviewedLayout, run: () => Promise<ExecResult>): Promise<ExecResult>
  /** Waits briefly for commands that are about to end. */
  settled(): Promise<void>
}

/** The last commands of a session are killed, and their changes are reviewed. */
const SETTLED_MAX_MS = 2000
/** Maximum number of notes per command. */
const NOTES_MAX = 8

export type ReviewedLayout = Pick<Layout, "repositories" | "watched">

/** The state before the first running command, which is the user's. */
interface Before {
  readonly repositories: readonly Repository[]
  readonly links: ReadonlyMap<string, string>
  readonly acting: ReadonlySet<string>
  /** Fingerprints of nested repositories by the path of their `.git`. */
  readonly nested: ReadonlyMap<string, string>
  /** Targets of watched links; null for missing paths. */
  readonly watched: ReadonlyMap<string, string | null>
  /** Roots that are git folders themselves. */
  readonly bare: ReadonlySet<string>
}

export function createReview(host: Host, ask: AskGit): Review {
  const eyes: Eyes = { host, ask, scan: createLinkScan(), nested: createNestedRepositories(ask) }
  const running = new Set<Promise<unknown>>()
  let before: Promise<Before> | undefined

  const reviewed = async (layout: ReviewedLayout, run: () => Promise<ExecResult>): Promise<ExecResult> => {
    const known = await (before ??= look(eyes, layout))
    // A failed command may have run partly.
    const ended = await run().catch((error: unknown) => ({ error }))
    const notes = await clear(eyes, known)
    if ("error" in ended) throw ended.error
    return withNotes(ended, notes)
  }
  return {
    async around(layout, run) {
      const one = reviewed(layout, run)
      running.add(one)
      try {
        return await one
      } finally {
        running.delete(one)
        if (running.size === 0) before = undefined
      }
    },
    async settled() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, SETTLED_MAX_MS)
      await Promise.race([promise, Promise.allSettled(running)])
      clearTimeout(timer)
    },
  }
}

/** Shows only the first notes. */
export function withNotes(ended: ExecResult, notes: readonly string[]): ExecResult {
  const shown =
    notes.length > NOTES_MAX ? [...notes.slice(0, NOTES_MAX), texts.moreNotes(notes.length - NOTES_MAX)] : notes
  const all = [...shown, ...(ended.note === undefined ? [] : [ended.note])]
  return all.length === 0 ? ended : { ...ended, note: all.join("\n") }
}

/** Queries that cache their results. */
interface Eyes {
  readonly host: Host
  readonly ask: AskGit
  readonly scan: (folder: string) => Links
  readonly nested: ReturnType<typeof createNestedRepositories>
}

async function look(eyes: Eyes, { repositories, watched }: ReviewedLayout): Promise<Before> {
  const folders = repositories.flatMap((one) => one.folders)
  const acting = await Promise.all(folders.map((folder) => unsafeLines(eyes.host, folder)))
  const nested = await Promise.all(repositories.map((one) => nestedIn(eyes, one)))
  return {
    repositories,
    links: new Map(folders.flatMap((folder) => [...eyes.scan(folder)])),
    acting: new Set(acting.flat().map(keyOf)),
    nested: new Map(nested.flat().map((place) => [place, fingerprint(place)])),
    watched: new Map(watched.map((path) => [path, linkText(path)])),
    bare: new Set(repositories.map(({ root }) => root).filter(isBare)),
  }
}

async function nestedIn(eyes: Eyes, { root, own }: Repository): Promise<readonly string[]> {
  const folder = own ?? gitFolderAt(join(root, ".git"))
  if (folder === null || !isThere(join(folder, "index"))) return []
  return (await eyes.nested(root, folder)).map((path) => join(root, `${path}/.git`))
}

/** Moves away what is new since the first running command. */
async function clear(eyes: Eyes, before: Before): Promise<readonly string[]> {
  const folders = before.repositories.flatMap((one) => one.folders)
  const notes: (readonly string[])[] = folders.map((folder) => clearLinks(eyes.scan(folder), before.links))
  for (const folder of folders) notes.push(await clearLists(eyes.host, folder, before.acting))
  for (const one of before.repositories) notes.push(await clearRepositories(eyes, one, before))
  for (const [path, to] of before.watched) notes.push(clearWatched(path, to))
  return notes.flat()
}

function clearLinks(links: Links, known: Before["links"]): string[] {
  return [...links].flatMap(([path, to]) => {
    if (known.get(path) === to || isReference(path, to)) return []
    return removeLink(path) ? [texts.linkRemoved(path, to)] : []
  })
}

/** Some tools write HEAD as a link to a branch. */
function isReference(path: string, to: string): boolean {
  return path.endsWith("/HEAD") && !path.includes("/logs/") && to.startsWith("refs/") && !to.includes("..")
}

async function clearLists(host: Host, folder: string, known: Before["acting"]): Promise<readonly string[]> {
  const acting = (await unsafeLines(host, folder)).filter((one) => !known.has(keyOf(one)))
  const notes: string[] = []
  for (const path of new Set(acting.map((one) => one.path))) {
    const here = acting.filter((one) => one.path === path)
    const first = here[0]?.line.trim() ?? ""
    notes.push((await removeLines(host, path, here)) ? texts.takenOut(path, first) : texts.notCleared(path, first))
  }
  return notes
}

function keyOf({ path, line }: UnsafeLine): string {
  return `${path}\0${line}`
}

async function clearRepositories(eyes: Eyes, one: Repository, before: Before): Promise<readonly string[]> {
  const { root, own } = one
  const notes: string[] = []
  // With these three entries git takes a folder for a repository and reads its settings.
  if (!before.bare.has(root) && isBare(root))
    notes.push(aside(join(root, "HEAD"), "the folder looks like a git folder"))
  // An existing git folder is protected by mounts.
  const fresh = own === null && !before.bare.has(root) ? [join(root, ".git")] : []
  for (const place of [...fresh, ...(await nestedIn(eyes, one))]) {
    if (!isThere(place) || before.nested.get(place) === fingerprint(place)) continue
    const why = await whyUnsafe(place, root, eyes.ask)
    if (why !== null) notes.push(aside(place, why))
  }
  return notes
}

function clearWatched(path: string, to: string | null): readonly string[] {
  if (to === null ? !isThere(path) : linkText(path) === to) return []
  const note = isThere(path) ? [aside(path, "another program would run what is there")] : []
  if (to !== null) putLink(path, to)
  return note
}

function isBare(root: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => isThere(join(root, name)))
}

function aside(path: string, why: string): string {
  const other = moveAside(path)
  return other === null ? texts.notCleared(path, why) : texts.movedAside(path, other, why)
}
