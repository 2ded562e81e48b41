import type { Evaluator } from "./evaluator.ts"
import { separators } from "./expand.ts"
import { printfOutput } from "./output.ts"
import { joinedPath } from "./joined-path.ts"
import { folders, forked, lookup, merge, resolved, setVariable, type State } from "./state.ts"
import { bounded, type Fields, textValue, union, unknown, unknownValue, type Value } from "./value.ts"

/** State changes of a shell builtin; returns its output. */
type Builtin = (args: Fields, state: State, evaluator: Evaluator) => readonly string[]

const noOutput = [""]

export const builtins: Readonly<Record<string, Builtin>> = {
  cd: (args, state) => changeFolder(args, state),
  pushd: (args, state) => changeFolder(args, state),
  popd(_, state) {
    state.cwd = [unknown]
    return noOutput
  },
  exit: exitShell,
  return: (_, state) => leave(state, state.returned === null ? [] : [state.returned]),
  break: leaveLoops,
  continue: leaveLoops,
  read: assignWords,
  mapfile: assignLines,
  readarray: assignLines,
  set(args, state) {
    const end = args.indexOf("--")
    if (args.some((word) => /^-[a-zA-Z]*e|^errexit$/.test(word))) state.errexit = true
    if (end >= 0) state.args = [args.slice(end + 1)]
    else if (args[0] !== undefined && !/^[-+]/.test(args[0])) state.args = [args]
    return noOutput
  },
  shift(_, state) {
    // Loops shift repeatedly.
    state.args = bounded(state.args.flatMap((fields) => fields.map((_one, at) => fields.slice(at + 1))))
    return noOutput
  },
  unset(args, state) {
    for (const name of args) {
      const [, array] = /^(\w+)\[/.exec(name) ?? []
      if (array === undefined) state.vars.set(name, [[]])
      else state.vars.set(array, withoutElement(lookup(state, array)))
      state.functions.delete(name)
    }
    return noOutput
  },
  getopts([, name = "", ...words], state) {
    setVariable(state, name, unknownValue)
    const given = words.length > 0 ? words : lookup(state, "@").flat()
    state.vars.set("OPTARG", bounded([...given, unknown].map((word) => [word])))
    return noOutput
  },
  printf(args, state) {
    if (args[0] !== "-v") return printfOutput(args)
    setVariable(state, args[1] ?? "", textValue(...printfOutput(args.slice(2))))
    return noOutput
  },
  alias(args, state, evaluator) {
    for (const word of args) {
      const [, name, script] = /^([^=]+)=([^]*)/.exec(word) ?? []
      if (name !== undefined && script !== undefined)
        state.functions.set(name, [null, { type: "group", body: evaluator.parse(`${script} "$@"`), redirections: [] }])
    }
    return noOutput
  },
  ln(args, state) {
    const [target, link] = args.filter((word) => !word.startsWith("-"))
    if (target === undefined || !args.some((word) => /^-\w*s|^--sym/.test(word))) return noOutput
    const name = link ?? target.slice(target.lastIndexOf("/") + 1)
    for (const cwd of state.cwd) state.links.set(joinedPath(cwd, name), joinedPath(cwd, target))
    return noOutput
  },
  mkdir(args, state) {
    for (const path of args)
      for (const cwd of state.cwd) if (!path.startsWith("-")) state.createdFolders.add(resolved(state, cwd, path))
    return noOutput
  },
  eval: (args, state, evaluator) => evaluator.script(args.join(" "), state),
  trap(args, state, evaluator) {
    const [script = "", ...signals] = args[0] === "--" ? args.slice(1) : args
    if (signals.length > 0) evaluator.traps.push({ script, state })
    return noOutput
  },
}

/** Without one of the elements; the others keep their subscripts, so that none may be the first. */
function withoutElement(value: Value): Value {
  return union(
    value,
    value.flatMap((fields) => fields.map((_, removed) => fields.toSpliced(removed, 1))),
    [[]],
  )
}

function exitShell(_: Fields, state: State): readonly string[] {
  state.exited = true
  return noOutput
}

/** With a number, as `break 2`, it may be the round of any open loop. */
function leaveLoops([count = "1"]: Fields, state: State): readonly string[] {
  return leave(state, count === "1" ? state.loopEnds.slice(-1) : state.loopEnds)
}

/** Ends the open function or round of a loop, if there is one. */
function leave(state: State, all: readonly State[][]): readonly string[] {
  for (const ends of all) {
    // One state for all, since a script may leave at any number of places.
    const [before] = ends
    if (before === undefined) ends.push(forked(state))
    else merge(before, [state])
  }
  if (all.length > 0) state.exited = true
  return noOutput
}

function changeFolder(args: Fields, state: State): readonly string[] {
  const [target, ...more] = args.filter((word) => !/^-[LPen@-]+$/.test(word))
  if (more.length > 0) return noOutput
  const homes = lookup(state, "HOME").map((fields) => fields.join(" "))
  const targets = target === undefined ? homes : [target]
  const from = state.cwd
  state.cwd = folders(
    targets.flatMap((path) => state.cwd.map((cwd) => (path === "" ? cwd : resolved(state, cwd, path)))),
  )
  // An ambiguous pattern changes nothing.
  if (target !== undefined && /[*?[]/.test(target)) state.cwd = folders([...from, ...state.cwd])
  if (target !== undefined && !/^[./]*$/.test(target) && !state.cwd.every((path) => certainlyExists(state, path)))
    state.cwdOnFailure = from
  return noOutput
}

/** A folder that certainly exists. */
function certainlyExists({ start, createdFolders }: State, path: string): boolean {
  return path === start.home || start.roots.includes(path) || createdFolders.has(path)
}

/** `read NAME...`: a line of the input, or its words; without a name into REPLY. */
function assignWords(args: Fields, state: State): readonly string[] {
  const names = namesOf(args, /^-[a-zA-Z]*[dinNptu]$/)
  // Surrounding blanks are stripped unless IFS is empty.
  const keepsBlanks = lookup(state, "IFS").some((fields) => fields.length > 0)
  const lines = linesOf(state).map((line) => (keepsBlanks ? line : line.trim()))
  const isList = args.some((word) => /^-[a-zA-Z]*a$/.test(word))
  if (isList) state.arrays = new Set([...state.arrays, ...names])
  const wordsOf = (line: string) => line.split(separators((name) => lookup(state, name))).filter((word) => word !== "")
  // A name without a word of its own is empty.
  const valuesOf = (line: string, at: number) => {
    const words = wordsOf(line)
    return names.length < 2 ? [line] : [line, ...words, ...(words.length <= at ? [""] : [])]
  }
  for (const [at, name] of (names.length === 0 ? ["REPLY"] : names).entries()) {
    if (isList) state.vars.set(name, bounded(lines.map(wordsOf)))
    else setVariable(state, name, textValue(...lines.flatMap((line) => valuesOf(line, at))))
  }
  return noOutput
}

/** `mapfile NAME`: all input lines as an array. */
function assignLines(args: Fields, state: State): readonly string[] {
  const [name = "MAPFILE"] = namesOf(args, /^-[a-zA-Z]*[dnOsuCc]$/)
  state.arrays = new Set([...state.arrays, name])
  state.vars.set(name, bounded(state.stdin.map((text) => text.split("\n").filter((line) => line !== ""))))
  return noOutput
}

function namesOf(args: Fields, withValue: RegExp): Fields {
  return args.filter((word, at) => !word.startsWith("-") && !withValue.test(args[at - 1] ?? ""))
}

function linesOf({ stdin }: State): readonly string[] {
  return stdin.flatMap((text) => text.replace(/\n$/, "").split("\n"))
}
