import { assign } from "./assign.ts"
import { expandBraces } from "./braces.ts"
import { builtins } from "./builtins.ts"
import { assignment, fieldsOf, isAssignment, type Scope, wholeOf } from "./expand.ts"
import { type Follower, maxDepth } from "./evaluator.ts"
import { insideOf, plainName } from "./inner-commands.ts"
import { joinedPath } from "./joined-path.ts"
import { printedBy } from "./output.ts"
import { forked, type Functions, homeOf, lookup, merge, type State } from "./state.ts"
import type { Redirection, Word } from "./syntax.ts"
import { combined, either, type Fields, textValue, together, unknown } from "./value.ts"

type Texts = readonly string[]

const nothing: Texts = [""]

/** Maximum depth of commands that run one another, as `sudo env nice`. */
const maxLayers = 16

export function runSimple(
  at: Follower,
  words: readonly Word[],
  redirections: readonly Redirection[],
  state: State,
): Texts {
  const count = words.findIndex((word) => !isAssignment(word))
  const assignments = words.slice(0, count < 0 ? words.length : count)
  const scope = scopeOf(at, state)
  const given = redirected(at, redirections, state)
  if (count < 0) {
    for (const word of assignments) assign(word, state, scope)
    return nothing
  }
  const first = words[count]?.source ?? ""
  if (declarers.has(first)) {
    const before = forked(state)
    for (const word of words.slice(count + 1))
      for (const parts of expandBraces(word.parts))
        assign({ ...word, parts }, state, scope, words[count + 1]?.source === "-n")
    // It fails outside of a function.
    if (first === "local") merge(state, [before])
    return nothing
  }
  // `eval` accepts arrays too.
  const lists = words.slice(count).filter(({ list }) => list !== undefined)
  for (const word of lists) assign(word, state, scope)
  at.source = words.map(({ source }) => source).join(" ")
  const choices = words.slice(count).flatMap((word) => (lists.includes(word) ? [] : [fieldsOf(word, scope)]))
  // With too many combinations an ambiguous word may be anything.
  const ways = combined(choices) ?? [choices.map((ways) => (ways.length === 1 ? (ways[0] ?? []) : [unknown]))]
  // Only for this command.
  const kept = assignments.map(({ source }) => nameOf(source)).map((name) => [name, state.vars.get(name)] as const)
  for (const word of assignments) assign(word, state, scope)
  const printed = runWays(at, ways, given, state)
  keepFiles(at, redirections, printed, scope)
  for (const [name, value] of kept) {
    if (value === undefined) state.vars.delete(name)
    else state.vars.set(name, value)
  }
  return printed
}

const declarers = new Set(["export", "declare", "typeset", "local", "readonly"])

/** Text written to a file can be run from it, or read. */
function keepFiles(at: Follower, redirections: readonly Redirection[], printed: Texts, scope: Scope): void {
  for (const { operator, target } of redirections) {
    if (!/^(?:&?>>?|>[|&])$/.test(operator)) continue
    for (const path of wholeOf(target.parts, scope)) {
      const name = plainName(path)
      const before = operator.endsWith(">>") ? (at.files.get(name) ?? nothing) : nothing
      at.files.set(name, together(before, printed))
    }
  }
}

function runWays(at: Follower, ways: readonly (readonly Fields[])[], stdin: Texts, state: State): Texts {
  // A failed expansion ends the shell.
  if (ways.length === 0) state.dead = true
  const before = state.stdin
  const others = ways.slice(1).map(() => forked(state))
  const printed = ways.map((way, index) => {
    const one = others[index - 1] ?? state
    one.stdin = stdin
    return textValue(...runArgv(at, way.flat(), one))
  })
  merge(state, others)
  state.stdin = before
  return either(...printed).map(([text = ""]) => text)
}

function nameOf(source: string): string {
  return assignment.exec(source)?.[1] ?? ""
}

/** The readable content; reports files that are written to. */
export function redirected(at: Follower, redirections: readonly Redirection[], state: State): Texts {
  const scope = scopeOf(at, state)
  let { stdin } = state
  for (const { operator, target, body } of redirections) {
    if (body !== null) stdin = wholeOf(body, scope)
    else if (operator === "<<<") stdin = wholeOf(target.parts, scope)
    else {
      const paths = wholeOf(target.parts, scope)
      if (operator === "<") stdin = paths.flatMap((path) => at.files.get(plainName(path)) ?? [unknown])
      else for (const path of paths) at.watcher.written(path)
    }
  }
  return stdin
}

export function runArgv(at: Follower, argv: Fields, state: State, layer = 0): Texts {
  const [first] = argv
  if (first === undefined) return nothing
  if (layer > maxLayers) at.left = -1
  if (at.left-- < 0) return [unknown]
  at.watcher.command(argv, state, at.source)
  const bodies = state.functions.get(first)
  if (bodies !== undefined) return callFunctions(at, bodies, argv, state)
  const builtin = Object.hasOwn(builtins, first) ? builtins[first] : undefined
  if (builtin !== undefined) return builtin(argv.slice(1), state, at)
  let printed: Texts | null = null
  for (const inside of insideOf(argv, state, at.files)) {
    const inner = inside.sameShell === true ? state : forked(state)
    for (const [name, value] of inside.assignments ?? []) inner.vars.set(name, [[value]])
    const { folder } = inside
    if (folder !== undefined) inner.cwd = state.cwd.map((cwd) => joinedPath(cwd, folder))
    if (inside.args !== undefined) inner.args = [inside.args]
    printed = "script" in inside ? at.script(inside.script, inner) : runArgv(at, inside.argv, inner, layer + 1)
  }
  return printed ?? printedBy(argv, state, at.files)
}

/** A function of this name, or the program. */
function callFunctions(at: Follower, bodies: Functions, argv: Fields, state: State): Texts {
  // Infinite recursion does nothing new.
  if (state.depth >= maxDepth) return [unknown]
  const others = bodies.slice(1).map(() => forked(state))
  const printed = bodies.map((body, index) => {
    const one = others[index - 1] ?? state
    const { args, functions } = one
    if (body === null) one.functions = new Map([...functions].filter(([name]) => name !== argv[0]))
    else one.args = [argv.slice(1)]
    one.depth++
    const texts = body === null ? runArgv(at, argv, one) : at.command(body, one)
    Object.assign(one, { args, depth: one.depth - 1, dead: false })
    if (body === null) one.functions = functions
    return textValue(...texts)
  })
  merge(state, others)
  return either(...printed).map(([text = ""]) => text)
}

export function scopeOf(at: Follower, state: State): Scope {
  return {
    lookup: (name) => lookup(state, name),
    assign: (name, value) => void state.vars.set(name, value),
    output: (script) => at.run(script, { ...forked(state), depth: state.depth }),
    file(script) {
      const name = `/dev/fd/${63 + at.files.size}`
      at.files.set(name, at.run(script, forked(state)))
      return name
    },
    homeOf: (user) => homeOf(state, user),
  }
}
