import type { Host } from "@gong/spec"
import { codeOf, Refusal } from "./result.ts"
import { dirname, isInside, join, normalize, basename, relativeTo } from "./posix-path.ts"

const MAX_PATH_CHARS = 4096

export type Roots = readonly string[] | "anywhere"

/** Where a tool may read and write. */
export interface Place {
  readonly cwd: string
  /**
   * Set by a session: the only files and folders that may be written; the first is the workspace. A function is called
   * at each tool call, so a permission just granted applies. `anywhere`: no check. Absent: checked by the form of the
   * path.
   */
  readonly roots?: Roots | (() => Roots)
  /** Restricts reads as well. Default `anywhere`, except for secret files. */
  readonly reads?: "anywhere" | "workspace"
  /** Absolute paths of files or folders that no tool reads, unless a root lies inside them. Used with `roots`. */
  readonly secrets?: () => Promise<readonly string[]>
}

/**
 * Makes a typed path absolute. Handles `~`, a leading `@`, Unicode spaces and paths relative to the cwd. Does not
 * access the disk.
 */
export function expandPath(typed: string, cwd: string, home: string): string {
  if (typed.includes("\0")) throw new Refusal("The path holds a NUL character. Give a plain path.")
  if (typed.length > MAX_PATH_CHARS)
    throw new Refusal(`The path is ${typed.length} characters long; the limit is ${MAX_PATH_CHARS}. Use a shorter one.`)
  const plain = plainForm(typed)
  if (plain === "~") return normalize(home)
  if (plain.startsWith("~/")) return join(home, plain.slice(2))
  return plain.startsWith("/") ? normalize(plain) : join(cwd, plain)
}

/** The real path to change. Throws a refusal if it is outside the roots, or not allowed by the form of the path. */
export async function resolveForWrite(host: Host, place: Place, tool: string, typed: string): Promise<string> {
  const path = expandPath(typed, place.cwd, host.home)
  return judge(host, place, tool, typed, path)
}

/** The path to read, including file name variants of macOS. Refuses secret files. */
export async function resolveForRead(host: Host, place: Place, tool: string, typed: string): Promise<string> {
  const path = await findVariant(host, expandPath(typed, place.cwd, host.home))
  if (place.reads === "workspace") await judge(host, place, tool, typed, path)
  const roots = rootsOf(place)
  if (roots !== undefined && roots !== "anywhere") await refuseSecret(host, roots, await secretsOf(place), path)
  return path
}

/** The real path of the nearest existing ancestor, plus the rest of the path. */
export async function realPathOf(host: Host, path: string): Promise<string> {
  try {
    return await host.realpath(path)
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || path === "/") throw error
    // A write through a dangling link would create a file at its target.
    if ((await host.stat(path, { link: true }))?.kind === "symlink")
      throw new Refusal(`${path} is a symbolic link to a place that does not exist. Use the real path.`)
    return join(await realPathOf(host, dirname(path)), basename(path))
  }
}

async function judge(host: Host, place: Place, tool: string, typed: string, path: string): Promise<string> {
  const real = await realPathOf(host, path)
  const roots = rootsOf(place) ?? rootsByForm(host, place, typed)
  if (roots === "anywhere") return real
  for (const root of roots) if (isInside(await realPathOf(host, normalize(root)), real)) return real
  throw new Refusal(refusalText(tool, real, roots[0] ?? place.cwd), "refused")
}

/** Contract C-20: a relative path stays in the cwd, `~` in the home, an absolute path in cwd, home or temp. */
function rootsByForm(host: Host, place: Place, typed: string): readonly string[] {
  const plain = plainForm(typed)
  if (plain === "~" || plain.startsWith("~/")) return [host.home]
  return plain.startsWith("/") ? [place.cwd, host.home, host.tmp] : [place.cwd]
}

/** The current roots; undefined without a session. */
export function rootsOf({ roots }: Place): Roots | undefined {
  return typeof roots === "function" ? roots() : roots
}

/** Empty if none are configured. */
export async function secretsOf({ secrets }: Place): Promise<readonly string[]> {
  return (await secrets?.()) ?? []
}

function refusalText(tool: string, path: string, workspace: string): string {
  return `Refused: ${path} is outside the workspace (${workspace}). Allow it with --add-dir ${dirname(path)} or --allow "${tool}(${path})".`
}

/** A secret path is readable only through a root inside it. */
async function refuseSecret(
  host: Host,
  roots: readonly string[],
  secrets: readonly string[],
  path: string,
): Promise<void> {
  const real = await realPathOf(host, path)
  const home = await realPathOf(host, normalize(host.home))
  const places = secrets.map((place) => (isInside(host.home, place) ? join(home, relativeTo(host.home, place)) : place))
  // Programs keep logins in auth.json in their own dot folder of the home.
  if (basename(real) === "auth.json" && real.startsWith(home === "/" ? "/." : `${home}/.`)) places.push(real)
  const open = (secret: string) => roots.some((root) => isInside(secret, root) && isInside(root, real))
  if (places.some((secret) => isInside(secret, real) && !open(secret)))
    throw new Refusal(
      `Refused: ${real} may hold secrets. Go on without it, or ask the user for what you need.`,
      "refused",
    )
}

function plainForm(typed: string): string {
  const plain = typed.replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " ")
  return plain.startsWith("@") ? plain.slice(1) : plain
}

/**
 * macOS writes U+202F before AM and PM, U+2019 for an apostrophe, and decomposed letters. Tried in this order if the
 * path is missing.
 */
async function findVariant(host: Host, path: string): Promise<string> {
  if ((await host.stat(path)) !== null) return path
  const narrow = path.replace(/ (AM|PM)\b/gi, "\u202F$1")
  const decomposed = path.normalize("NFD")
  const variants = [narrow, decomposed, path.replaceAll("'", "\u2019"), decomposed.replaceAll("'", "\u2019")]
  for (const variant of new Set(variants)) if (variant !== path && (await host.stat(variant)) !== null) return variant
  return path
}
