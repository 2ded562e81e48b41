import { ownFolder } from "@gong/spec"
import { isInside, escapeRegExp } from "../paths.ts"
import { joinedPath } from "../shell/joined-path.ts"
import { resolved, type Start, type State } from "../shell/state.ts"
import { isKnown, unknown } from "../shell/value.ts"

type Folders = Pick<Start, "home" | "roots">

/** System folders directly below the root. */
const topLevel =
  "bin boot dev etc home lib lib32 lib64 media mnt opt private proc root run sbin srv sys tmp usr var Applications Library System Users Volumes"
    .split(" ")
    .map((name) => `/${name}`)

/** The protected folder that a deletion includes; `what` null: possibly one, since the path is not fully known. */
export interface ProtectedMatch {
  readonly what: string | null
}

/**
 * The protected folder that a deletion of the path includes: itself, or its whole content; null for none. `canIncludeRoots`: the
 * roots are not protected.
 */
export function protectedFolderIn(path: string, state: State, canIncludeRoots: boolean): ProtectedMatch | null {
  // An empty name is not a path.
  if (path === "") return null
  const target = withoutWildcard(path)
  for (const cwd of state.cwd) {
    const whole = resolveLinks(state, cwd, target, target !== path)
    const { start } = state
    const found = isKnown(whole)
      ? exactMatch(whole, start, canIncludeRoots)
      : patternMatch(whole, candidates(start, canIncludeRoots))
    if (found === null) continue
    const isUncertain = state.cwd.length > 1 && !path.startsWith("/")
    return { what: !isKnown(whole) ? null : isUncertain ? `${found}, should a "cd" before it fail` : found }
  }
  return null
}

/** `x/*`, `x/.*` and similar patterns are all of `x`. */
function withoutWildcard(path: string): string {
  const bare = path.replace(/(?<=[^/])\/+$/, "")
  const last = bare.slice(bare.lastIndexOf("/") + 1)
  const anything = /[*?]/.test(last) && !/[^.*?!+@,{}]/.test(last.replaceAll(/\[[^\]]*\]/g, "?"))
  return anything ? bare.slice(0, bare.length - last.length) || "." : bare
}

/** A link is deleted alone; its target only if the path continues or all of it is deleted. */
function resolveLinks(state: State, cwd: string, path: string, all: boolean): string {
  const whole = joinedPath(cwd, path)
  return state.links.has(whole) && !all ? whole : resolved(state, cwd, path)
}

function exactMatch(path: string, { home, roots }: Folders, canIncludeRoots: boolean): string | null {
  if (/[*?[]/.test(path)) return patternMatch(path, candidates({ home, roots }, canIncludeRoots))
  if (path === "/") return "the root folder"
  if (path === home) return "the home folder"
  if (isInside(path, home)) return path
  if (/^\/[^/]+$/.test(path))
    return roots.includes(path)
      ? canIncludeRoots
        ? null
        : path
      : !canIncludeRoots || topLevel.includes(path)
        ? path
        : null
  if (canIncludeRoots) return null
  return roots.some((root) => isInside(path, root)) || protectedSubfolders(roots).includes(path) ? path : null
}

function candidates({ home, roots }: Folders, canIncludeRoots: boolean): readonly string[] {
  const all = ["/", home, ...ancestors(home), ...topLevel.filter((path) => !roots.includes(path))]
  return canIncludeRoots ? all : [...all, ...roots, ...roots.flatMap(ancestors), ...protectedSubfolders(roots)]
}

function protectedSubfolders(roots: readonly string[]): readonly string[] {
  return roots.flatMap((root) => [`${root}/.git`, `${root}/${ownFolder}`])
}

function ancestors(path: string): readonly string[] {
  const names = path.split("/").slice(1, -1)
  return names.map((_, at) => `/${names.slice(0, at + 1).join("/")}`)
}

/** Maximum number of unknown parts in one path that are distinguished. */
const maxOpen = 8

/** Candidates that a path may match: patterns stay within a name, an unknown part may be anything. */
function patternMatch(path: string, among: readonly string[]): string | null {
  const open = path.match(/[\0*?[]/g)?.length ?? 0
  if (open > maxOpen) return among[0] ?? null
  const source = path.replaceAll(/\0+/g, unknown).replaceAll(/\/\0$|\0|\[[^\]/]*\]|[*?]|[^\0[*?]|./gs, (piece) => {
    // An unknown name may also be empty.
    if (piece === `/${unknown}`) return "(?:/[^]*)?"
    if (piece === unknown) return "[^]*"
    if (piece === "*") return "[^/]*"
    return piece === "?" || (piece.startsWith("[") && piece.length > 1) ? "[^/]" : escapeRegExp(piece)
  })
  const form = new RegExp(`^(?:${source})/?$`)
  return among.find((one) => form.test(one)) ?? null
}
