import { localHost, phrase, type Trusted } from "@gong/spec"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { makeFolder } from "../home.ts"
import { privateFolder } from "../private-folder.ts"
import { codeOf } from "../usage.ts"
import { isHash } from "./copies.ts"
import { sha256 } from "./folder-files.ts"
import type { Translate } from "@gong/texts/translator"

/** Copies of trusted scripts, by their path in the folder. */
export type Runnable =
  | { readonly ok: true; readonly copies: ReadonlyMap<string, string> }
  /** A sentence fragment for people. */
  | { readonly ok: false; readonly problem: string }

/** Below Gong's home, which sandboxed commands cannot write. */
export const runnableNames = ["cache", "trusted"]

/**
 * Copies these scripts with their trusted neighbours, so that the trusted content runs whatever happens to the folder. They have
 * the same paths in a folder of their own, where all other files beside and above them are links into the workspace, for scripts
 * that use their neighbours. Null: `path` was not trusted.
 */
export async function runnableCopies(
  t: Translate,
  home: string,
  trusted: Trusted,
  scripts: readonly string[],
  now: number,
): Promise<Runnable> {
  // They run on the folder's host, and are stored with the home.
  if (trusted.host.id !== localHost)
    return { ok: false, problem: t`copies of its scripts are not supported on another host` }
  const files = filesFor(trusted, scripts)
  try {
    makeFolder(home)
    const id = sha256(JSON.stringify([trusted.root, files.map((path) => [path, trusted.files.get(path)])])).slice(0, 32)
    const folder = privateFolder(home, [...runnableNames, id], { make: true })
    if (folder.path === null)
      return { ok: false, problem: t.text(folder.problem ?? phrase`${home} cannot be used (${"ENOENT"})`) }
    const tree = folder.path
    // Removes copies that were not used for long.
    const used = new Date(now)
    utimesSync(tree, used, used)
    for (const path of files) {
      const problem = await copied(t, trusted, path, tree)
      if (problem !== null) return { ok: false, problem: t`${path} ${problem}; gong trust shows it` }
    }
    await linkBeside(trusted, tree, files)
    return { ok: true, copies: new Map(files.map((path) => [path, join(tree, path)])) }
  } catch (error) {
    return { ok: false, problem: t`no copy of it can be stored in ${home} (${codeOf(error)})` }
  }
}

/** Installed programs are not part of the active content, except for a file that a hook names. */
const installed = /(?:^|\/)node_modules\//

/** Whether a script of the folder runs as a copy. */
export function isRunnable({ files }: Trusted, path: string): boolean {
  return isHash(files.get(path) ?? "") && !installed.test(path)
}

function filesFor(trusted: Trusted, scripts: readonly string[]): readonly string[] {
  const folders = new Set(scripts.map((path) => dirname(path)))
  const isBeside = (path: string): boolean => [...folders].some((folder) => path.startsWith(`${folder}/`))
  const beside = [...trusted.files.keys()].filter((path) => isBeside(path) && isRunnable(trusted, path))
  return [...new Set([...scripts, ...beside])].toSorted()
}

/** Null, or why there is no copy, as a sentence fragment. */
async function copied(t: Translate, trusted: Trusted, path: string, tree: string): Promise<string | null> {
  const { host, root, files } = trusted
  const to = join(tree, path)
  if (hashOf(to) === files.get(path)) return null
  const found = await trusted.readBytes(path)
  if (!found.ok) return found.problem
  if (found.bytes === null) return t`was deleted`
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  const temporary = `${to}.${process.pid}.tmp`
  writeFileSync(temporary, found.bytes, { mode: 0o600 })
  const mode = (await host.stat(join(root, path)))?.mode ?? 0
  chmodSync(temporary, (mode & 0o111) === 0 ? 0o400 : 0o500)
  renameSync(temporary, to)
  return null
}

function hashOf(path: string): string | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null
  return sha256(readFileSync(path))
}

/** Maximum number of links; further files are missing beside the copies. */
const maxLinks = 5_000

/** Links in each folder with copies and its parents. Excludes git's folder, which would make another work tree. */
async function linkBeside({ host, root }: Trusted, tree: string, files: readonly string[]): Promise<void> {
  const copies = new Set(files)
  const folders = new Set(files.flatMap(foldersOf))
  let left = maxLinks
  for (const folder of folders) {
    const [listed] = await host.list([join(root, folder)])
    for (const { name } of listed?.ok === true ? listed.value : []) {
      const path = folder === "" ? name : `${folder}/${name}`
      if (copies.has(path) || folders.has(path) || path === ".git" || left-- <= 0) continue
      const link = join(tree, path)
      if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(join(root, path), link)
    }
  }
}

/** The folder of a path and its parents, up to the empty one. */
function foldersOf(path: string): readonly string[] {
  const at = path.lastIndexOf("/")
  return at < 0 ? [""] : [path.slice(0, at), ...foldersOf(path.slice(0, at))]
}
