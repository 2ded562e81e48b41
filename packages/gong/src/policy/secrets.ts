import { ownFolder } from "../folders.ts"
import { isInside } from "./paths.ts"
import { type Form, moved, secretTable } from "./secret-places.ts"

/** One place of the table as this user has it. */
export interface Secret {
  /** Of its row. */
  readonly name: string
  /** Full path of a folder, and the place from there. */
  readonly base: string
  readonly path: string
  /** Null: nothing of it is for others. */
  readonly form: Form | null
  readonly says: RegExp | undefined
}

/** Whose places they are. */
export interface Owner {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** All places of a home, and those that variables name in their stead. */
export function secretsOf({ home, env }: Owner): readonly Secret[] {
  const inHome = rows.map((row): Secret => ({ ...row, base: home }))
  return [...inHome, ...Object.entries(moved).flatMap(([variable, usual]) => movedTo(env[variable] ?? "", usual, home))]
}

type Row = Omit<Secret, "base">

const rows: readonly Row[] = Object.entries(secretTable).flatMap(([name, { places = [], settings = {}, says }]) => [
  ...places.map((path): Row => ({ name, path, form: null, says })),
  ...Object.entries(settings).map(([path, form]): Row => ({ name, path, form, says })),
])

function movedTo(value: string, usual: string, home: string): readonly Secret[] {
  // What holds the home is no place for keys alone.
  const named = value.split(":").filter((path) => path.startsWith("/") && !isInside(path, home))
  const within = rows.filter(({ path }) => isInside(usual, path))
  const around = rows.filter(({ path }) => isInside(path, usual))
  return named.flatMap((folder) => [
    ...within.map((row) => placed(row, `${folder}${row.path.slice(usual.length)}`, home)),
    ...(within.length > 0 ? [] : around.slice(0, 1).map((row) => placed(row, folder, home))),
  ])
}

function placed(row: Row, path: string, home: string): Secret {
  const base = isInside(home, path) ? home : "/"
  return { ...row, base, path: path.slice(base === "/" ? 1 : base.length + 1) }
}

export interface SecretOwner extends Owner {
  readonly gongHome: string
}

/** Whether the path is, or lies in, a place where people keep keys. Case does not matter: on some disks it does not either. */
export function isSecret(path: string, owner: SecretOwner): boolean {
  const low = path.toLowerCase()
  if (/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/.test(low) || /^\/etc\/g?shadow-?$/.test(low)) return true
  const [, others] = /^(?:\/(?:home|users)\/[^/]+|\/root)\/(.+)$/.exec(low) ?? []
  if (others !== undefined && rows.some((row) => isInside(row.path.toLowerCase(), others))) return true
  return fullPaths(owner).some((place) => isInside(place.toLowerCase(), low))
}

/** The places of that kind that a search of everything below `path` would meet, if they exist. */
export function secretsBelow(path: string, owner: SecretOwner): readonly string[] {
  return fullPaths(owner).filter((place) => isInside(path, place))
}

function fullPaths(owner: SecretOwner): readonly string[] {
  return [`${owner.gongHome}/auth.json`, `${owner.home}/${ownFolder}/auth.json`, ...secretPaths(owner)]
}

/** The places as full paths. */
export function secretPaths(owner: Owner): readonly string[] {
  return secretsOf(owner).map(({ base, path }) => `${base === "/" ? "" : base}/${path}`)
}
