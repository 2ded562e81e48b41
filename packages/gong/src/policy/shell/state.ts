import { parentOf } from "../paths.ts"
import { joinedPath } from "./joined-path.ts"
import type { Command } from "./syntax.ts"
import { bounded, either, type Fields, textValue, unknown, unknownValue, type Value } from "./value.ts"

/** Where a script starts. */
export interface Start {
  readonly cwd: string
  readonly home: string
  readonly roots: readonly string[]
  /** The environment of commands. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What holds at one place of a script. Changed by the commands that run there. */
export interface State {
  readonly start: Start
  vars: Map<string, Value>
  functions: Map<string, Functions>
  /** Absolute. */
  cwd: readonly string[]
  /** Folders in which the shell still is if a change of folder has failed; null: it cannot have. */
  missed: readonly string[] | null
  /** A command that fails ends the shell: `set -e`. */
  strict: boolean
  /** Folders that the script makes. */
  readonly made: Set<string>
  /** Links that the script makes, and where they lead; both absolute. */
  readonly links: Map<string, string>
  args: Value
  /** All that can be read, by who reads it. */
  stdin: readonly string[]
  /** The shell does not come further: `exit`, `return`, `break`. */
  dead: boolean
  /** Calls of functions and scripts that are open. */
  depth: number
}

/** What a function may be; null: it may not be defined. */
export type Functions = readonly (Command | null)[]

export function startState(start: Start): State {
  const { cwd } = start
  return {
    start,
    vars: new Map(),
    functions: new Map(),
    cwd: [cwd],
    missed: null,
    strict: false,
    made: new Set(),
    links: new Map(),
    args: [[]],
    // Commands have no stdin.
    stdin: [""],
    dead: false,
    depth: 0,
  }
}

/** The same state for what cannot change it: a subshell, a branch. */
export function forked(state: State): State {
  return { ...state, vars: new Map(state.vars), functions: new Map(state.functions) }
}

/** Makes `state` what holds after one of these, whichever it was. */
export function merge(state: State, others: readonly State[]): void {
  if (others.length === 0) return
  const alive = [state, ...others].filter(({ dead }) => !dead)
  const [first, ...more] = alive
  state.dead = first === undefined
  if (first === undefined) return
  const names = new Set(alive.flatMap(({ vars }) => [...vars.keys()]))
  state.vars = new Map([...names].map((name) => [name, either(...alive.map((one) => lookup(one, name)))]))
  const functions = new Set(alive.flatMap((one) => [...one.functions.keys()]))
  state.functions = new Map(
    [...functions].map((name) => [name, [...new Set(alive.flatMap((one) => one.functions.get(name) ?? [null]))]]),
  )
  state.cwd = folders(alive.flatMap(({ cwd }) => cwd))
  state.args = either(first.args, ...more.map(({ args }) => args))
}

export function folders(paths: readonly string[]): readonly string[] {
  return bounded(paths.map((path) => [path])).map(([path = unknown]) => path)
}

/** The last command has not succeeded for certain: where it was to change the folder, it may not have. */
export function mayHaveFailed(state: State): void {
  if (state.missed !== null && !state.strict) state.cwd = folders([...state.cwd, ...state.missed])
  state.missed = null
}

/** Where a path leads, through links that the script has made. */
export function resolved({ links }: State, folder: string, path: string): string {
  const whole = joinedPath(folder, path)
  for (const [link, target] of links) {
    if (whole === link || whole.startsWith(`${link}/`)) return joinedPath(target, whole.slice(link.length + 1))
  }
  return whole
}

/** Numbers, whatever they are: nothing that leads anywhere. */
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

/** No field: it is not set. */
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
  const value = given ?? usual(name, start)
  return value === undefined ? [[]] : [[value]]
}

/** What a shell sets itself, and what stands for the temporary folder where nobody has named another. */
function usual(name: string, { home }: Start): string | undefined {
  if (name === "HOME") return home
  if (name === "USER" || name === "LOGNAME") return nameIn(home)
  return name === "TMPDIR" || name === "TMP" || name === "TEMP" ? "/tmp" : undefined
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** What `~USER` stands for. */
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
