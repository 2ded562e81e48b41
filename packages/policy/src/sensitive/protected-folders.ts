import { ownFolder } from "@gong/spec"
import { isInside, literally } from "../paths.ts"
import { joinedPath } from "../shell/joined-path.ts"
import { resolved, type Start, type State } from "../shell/state.ts"
import { isKnown, unknown } from "../shell/value.ts"

type Places = Pick<Start, "home" | "roots">

/** System folders directly below the root. */
const topLevel =
  "bin boot dev etc home lib lib32 lib64 media mnt opt private proc root run sbin srv sys tmp usr var Applications Library System Users Volumes"
    .split(" ")
    .map((name) => `/${name}`)

/** What a deletion of the path includes; `what` null: possibly something precious, since the path is not fully known. */
export interface Loss {
  readonly what: string | null
}

/**
 * The precious folder that a deletion of the path includes: itself, or its whole content; null for none. `wide`: the workspace
 * may be deleted too.
 */
export function preciousAt(path: string, state: State, wide: boolean): Loss | null {
  // An empty name is not a path.
  if (path === "") return null
  const inside = withoutEverything(path)
  for (const cwd of state.cwd) {
    const whole = throughLinks(state, cwd, inside, inside !== path)
    const { start } = state
    const found = isKnown(whole) ? exactly(whole, start, wide) : matching(whole, candidates(start, wide))
    if (found === null) continue
    const unsure = state.cwd.length > 1 && !path.startsWith("/")
    return { what: !isKnown(whole) ? null : unsure ? `${found}, should a "cd" before it fail` : found }
  }
  return null
}

/** `x/*`, `x/.*` and similar patterns are all of `x`. */
function withoutEverything(path: string): string {
  const bare = path.replace(/(?<=[^/])\/+$/, "")
  const last = bare.slice(bare.lastIndexOf("/") + 1)
  const anything = /[*?]/.test(last) && !/[^.*?!+@,{}]/.test(last.replaceAll(/\[[^\]]*\]/g, "?"))
  return anything ? bare.slice(0, bare.length - last.length) || "." : bare
}

/** A link is deleted alone; its target only if the path continues or all of it is deleted. */
function throughLinks(state: State, cwd: string, path: string, all: boolean): string {
  const whole = joinedPath(cwd, path)
  return state.links.has(whole) && !all ? whole : resolved(state, cwd, path)
}

function exactly(path: string, { home, roots }: Places, wide: boolean): string | null {
  if (/[*?[]/.test(path)) return matching(path, candidates({ home, roots }, wide))
  if (path === "/") return "the root folder"
  if (path === home) return "the home folder"
  if (isInside(path, home)) return path
  if (/^\/[^/]+$/.test(path))
    return roots.includes(path) ? (wide ? null : path) : !wide || topLevel.includes(path) ? path : null
  if (wide) return null
  return roots.some((root) => isInside(path, root)) || ownParts(roots).includes(path) ? path : null
}

function candidates({ home, roots }: Places, wide: boolean): readonly string[] {
  const all = ["/", home, ...above(home), ...topLevel.filter((path) => !roots.includes(path))]
  return wide ? all : [...all, ...roots, ...roots.flatMap(above), ...ownParts(roots)]
}

function ownParts(roots: readonly string[]): readonly string[] {
  return roots.flatMap((root) => [`${root}/.git`, `${root}/${ownFolder}`])
}

function above(path: string): readonly string[] {
  const names = path.split("/").slice(1, -1)
  return names.map((_, at) => `/${names.slice(0, at + 1).join("/")}`)
}

/** Maximum number of unknown parts in one path that are distinguished. */
const maxOpen = 8

/** Candidates that a path may match: patterns stay within a name, an unknown part may be anything. */
function matching(path: string, among: readonly string[]): string | null {
  const open = path.match(/[\0*?[]/g)?.length ?? 0
  if (open > maxOpen) return among[0] ?? null
  const source = path.replaceAll(/\0+/g, unknown).replaceAll(/\/\0$|\0|\[[^\]/]*\]|[*?]|[^\0[*?]|./gs, (piece) => {
    // An unknown name may also be empty.
    if (piece === `/${unknown}`) return "(?:/[^]*)?"
    if (piece === unknown) return "[^]*"
    if (piece === "*") return "[^/]*"
    return piece === "?" || (piece.startsWith("[") && piece.length > 1) ? "[^/]" : literally(piece)
  })
  const form = new RegExp(`^(?:${source})/?$`)
  return among.find((one) => form.test(one)) ?? null
}
