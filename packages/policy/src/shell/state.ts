import { parentOf } from "../paths.ts"
import { joinedPath } from "./joined-path.ts"
import type { Command } from "./syntax.ts"
import { bounded, union, type Fields, textValue, unknown, unknownValue, type Value } from "./value.ts"

/** Starting point of a script. */
export interface Start {
  readonly cwd: string
  readonly home: string
  readonly roots: readonly string[]
  /** The environment of commands. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The shell state at one point of a script; commands modify it. */
export interface State {
  readonly start: Start
  vars: Map<string, Value>
  functions: Map<string, Functions>
  /** Absolute. */
  cwd: readonly string[]
  /** The working directories if the last change of folder failed; null: it cannot have failed. */
  cwdOnFailure: readonly string[] | null
  /** A failing command ends the shell: `set -e`. */
  errexit: boolean
  /** Folders created by the script. */
  readonly createdFolders: Set<string>
  /** Links created by the script, with their targets; both absolute. */
  readonly links: Map<string, string>
  args: Value
  /** Possible contents of the standard input. */
  stdin: readonly string[]
  /** The shell has ended here: `exit`, `return`, `break`. */
  exited: boolean
  /** Depth of open function and script calls. */
  depth: number
  /** Depth of open blocks, functions and `eval` of this shell. */
  nesting: number
  /** States that returned from the open function or sourced script; null outside of one, where `return` fails and ends nothing. */
  returned: State[] | null
  /** States that left a round of each open loop, the innermost last; empty outside of loops, where `break` does nothing. */
  loopEnds: readonly State[][]
  /** States in which a failed expansion may have abandoned the current line; the shell continues with the next one. */
  readonly abandoned: State[]
  /** Variables that may be read-only. */
  readonly readonlyNames: Set<string>
  /** Variables that are certainly exported, besides those of the environment. */
  exported: ReadonlySet<string>
  /** Variables that may be arrays, which are never exported. */
  arrays: ReadonlySet<string>
}

/** Possible definitions of a function; null: possibly undefined. */
export type Functions = readonly (Command | null)[]

export function startState(start: Start): State {
  const { cwd } = start
  return {
    start,
    vars: new Map(),
    functions: new Map(),
    cwd: [cwd],
    cwdOnFailure: null,
    errexit: false,
    createdFolders: new Set(),
    links: new Map(),
    args: [[]],
    // Commands have no stdin.
    stdin: [""],
    exited: false,
    depth: 0,
    nesting: 0,
    returned: null,
    loopEnds: [],
    abandoned: [],
    readonlyNames: new Set(),
    exported: new Set(),
    arrays: new Set(),
  }
}

/** A copy of the state, for a branch. */
export function forked(state: State): State {
  return { ...state, vars: new Map(state.vars), functions: new Map(state.functions) }
}

/** A copy of the state for a subshell or another shell, where failed expansions are its own. */
export function subshell(state: State): State {
  const { returned, loopEnds, readonlyNames } = state
  const own = { returned: returned && [], loopEnds: loopEnds.map(() => []), readonlyNames: new Set(readonlyNames) }
  return { ...forked(state), ...own, nesting: 0, abandoned: [] }
}

/** The state of another program, in which every variable that is not certainly exported may be unset. */
export function programState(state: State): State {
  const inner = { ...subshell(state), returned: null, loopEnds: [] }
  const { exported, arrays, start } = state
  for (const [name, value] of inner.vars) {
    const isExported = (exported.has(name) || start.env[name] !== undefined) && !arrays.has(name)
    if (!isExported) inner.vars.set(name, union(value, [[]]))
  }
  return inner
}

/** Merges these states into `state`. */
export function merge(state: State, others: readonly State[]): void {
  if (others.length === 0) return
  const alive = [state, ...others].filter(({ exited }) => !exited)
  const [first, ...more] = alive
  state.exited = first === undefined
  if (first === undefined) return
  const names = new Set(alive.flatMap(({ vars }) => [...vars.keys()]))
  state.vars = new Map([...names].map((name) => [name, union(...alive.map((one) => lookup(one, name)))]))
  const functions = new Set(alive.flatMap((one) => [...one.functions.keys()]))
  state.functions = new Map(
    [...functions].map((name) => [name, [...new Set(alive.flatMap((one) => one.functions.get(name) ?? [null]))]]),
  )
  state.exported = new Set([...first.exported].filter((name) => more.every(({ exported }) => exported.has(name))))
  state.arrays = new Set(alive.flatMap(({ arrays }) => [...arrays]))
  state.cwd = folders(alive.flatMap(({ cwd }) => cwd))
  state.args = union(first.args, ...more.map(({ args }) => args))
}

export function folders(paths: readonly string[]): readonly string[] {
  return bounded(paths.map((path) => [path])).map(([path = unknown]) => path)
}

/** The last command may have failed: a change of folder may not have happened. */
export function mayHaveFailed(state: State): void {
  if (state.cwdOnFailure !== null && !state.errexit) state.cwd = folders([...state.cwd, ...state.cwdOnFailure])
  state.cwdOnFailure = null
}

/** Resolves a path through links that the script created. */
export function resolved({ links }: State, folder: string, path: string): string {
  const whole = joinedPath(folder, path)
  for (const [link, target] of links) {
    if (whole === link || whole.startsWith(`${link}/`)) return joinedPath(target, whole.slice(link.length + 1))
  }
  return whole
}

/** Sets a variable. Of an array it is the first element, or one before the first; the others stay. */
export function setVariable(state: State, name: string, value: Value): void {
  const before = state.arrays.has(name) ? lookup(state, name) : [[]]
  const others = before.flatMap((old) => [old, old.slice(1)])
  state.vars.set(name, bounded(value.flatMap((fields) => others.map((old) => [...fields, ...old]))))
}

/** Variables with numeric values, which are not paths. */
const numbers = new Set([
  "RANDOM",
  "SRANDOM",
  "SECONDS",
  "LINENO",
  "UID",
  "EUID",
  "PPID",
  "BASHPID",
  "EPOCHSECONDS",
  "OPTIND",
])

/** Empty: not set. */
export function lookup(state: State, name: string): Value {
  const { start, args, cwd } = state
  const assigned = state.vars.get(name)
  if (assigned !== undefined) return assigned
  if (name === "@" || name === "*") return args
  if (/^\d+$/.test(name))
    return name === "0" ? [["bash"]] : args.map((fields) => fields.slice(Number(name) - 1, Number(name)))
  if (name === "PWD") return textValue(...cwd)
  if (name === "OLDPWD" || name === "_") return unknownValue
  if (name === "-") return [[""]]
  if (numbers.has(name)) return [["1"]]
  const given = Object.hasOwn(start.env, name) ? start.env[name] : undefined
  const value = given ?? defaultVariable(name, start)
  return value === undefined ? [[]] : [[value]]
}

/** Variables that a shell sets itself, and the temporary folder's default. */
function defaultVariable(name: string, { home }: Start): string | undefined {
  if (name === "HOME") return home
  if (name === "USER" || name === "LOGNAME") return nameIn(home)
  return name === "TMPDIR" || name === "TMP" || name === "TEMP" ? "/tmp" : undefined
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** The value of `~USER`. */
export function homeOf(state: State, user: string): readonly string[] {
  const { home } = state.start
  if (user === "") return textsIn(lookup(state, "HOME"))
  if (user === "+") return state.cwd
  if (user === "-") return [unknown]
  if (user === "root") return [nameIn(home) === "root" ? home : "/root"]
  return [user === nameIn(home) ? home : `${parentOf(home)}/${user}`]
}

function textsIn(value: Value): readonly string[] {
  return value.map((fields: Fields) => fields.join(" "))
}
