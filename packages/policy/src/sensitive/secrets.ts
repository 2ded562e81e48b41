import { ownFolder } from "@gong/spec"
import { isInside } from "../paths.ts"
import { type KeySyntax, locationVariables, secretTable } from "./secret-table.ts"

/** One location of the table for this user. */
export interface SecretLocation {
  /** The name of its row. */
  readonly name: string
  /** A folder's full path, and the location relative to it. */
  readonly base: string
  readonly path: string
  /** Null: none of its content may be shown. */
  readonly form: KeySyntax | null
  readonly errorPattern: RegExp | undefined
}

/** The user of these locations. */
export interface Owner {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** All locations of a home, with those that variables name instead. */
export function secretsOf({ home, env }: Owner): readonly SecretLocation[] {
  const inHome = rows.map((row): SecretLocation => ({ ...row, base: home }))
  return [
    ...inHome,
    ...Object.entries(locationVariables).flatMap(([variable, defaultPath]) =>
      relocated(env[variable] ?? "", defaultPath, home),
    ),
  ]
}

type Row = Omit<SecretLocation, "base">

const rows: readonly Row[] = Object.entries(secretTable).flatMap(
  ([name, { paths = [], settings = {}, errorPattern }]) => [
    ...paths.map((path): Row => ({ name, path, form: null, errorPattern })),
    ...Object.entries(settings).map(([path, form]): Row => ({ name, path, form, errorPattern })),
  ],
)

function relocated(value: string, defaultPath: string, home: string): readonly SecretLocation[] {
  // An ancestor of the home is not a key location alone.
  const named = value.split(":").filter((path) => path.startsWith("/") && !isInside(path, home))
  const within = rows.filter(({ path }) => isInside(defaultPath, path))
  const around = rows.filter(({ path }) => isInside(path, defaultPath))
  return named.flatMap((folder) => [
    ...within.map((row) => rowAt(row, `${folder}${row.path.slice(defaultPath.length)}`, home)),
    ...(within.length > 0 ? [] : around.slice(0, 1).map((row) => rowAt(row, folder, home))),
  ])
}

function rowAt(row: Row, path: string, home: string): SecretLocation {
  const base = isInside(home, path) ? home : "/"
  return { ...row, base, path: path.slice(base === "/" ? 1 : base.length + 1) }
}

export interface SecretOwner extends Owner {
  readonly gongHome: string
}

/** Whether the path is, or is inside, a key location. Case-insensitive, since some file systems are. */
export function isSecret(path: string, owner: SecretOwner): boolean {
  const low = path.toLowerCase()
  if (/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem)$/.test(low) || /^\/etc\/g?shadow-?$/.test(low)) return true
  const [, others] = /^(?:\/(?:home|users)\/[^/]+|\/root)\/(.+)$/.exec(low) ?? []
  if (others !== undefined && rows.some((row) => isInside(row.path.toLowerCase(), others))) return true
  return fullPaths(owner).some((secretPath) => isInside(secretPath.toLowerCase(), low))
}

/** Locations of that kind that a recursive search of `path` would meet, if they exist. */
export function secretsBelow(path: string, owner: SecretOwner): readonly string[] {
  return fullPaths(owner).filter((secretPath) => isInside(path, secretPath))
}

function fullPaths(owner: SecretOwner): readonly string[] {
  const own = [`${owner.gongHome}/auth.json`, `${owner.gongHome}/mcp.json`, `${owner.home}/${ownFolder}/auth.json`]
  return [...own, ...secretPaths(owner)]
}

/** The locations as full paths. */
export function secretPaths(owner: Owner): readonly string[] {
  return secretsOf(owner).map(({ base, path }) => `${base === "/" ? "" : base}/${path}`)
}
