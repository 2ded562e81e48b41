import { assign, assignAll } from "./assign.ts"
import { expandBraces } from "./braces.ts"
import { builtins } from "./builtins.ts"
import { assignment, fieldsOf, isAssignment, mayFail, type Scope, unsplitTexts } from "./expand.ts"
import { type Evaluator, maxDepth } from "./evaluator.ts"
import { innerCommandsOf, plainName } from "./inner-commands.ts"
import { joinedPath } from "./joined-path.ts"
import { outputOf } from "./output.ts"
import {
  forked,
  type Functions,
  homeOf,
  lookup,
  merge,
  programState,
  setVariable,
  type State,
  subshell,
} from "./state.ts"
import type { Part, Redirection, Word } from "./syntax.ts"
import {
  boundedField,
  combinations,
  concatenated,
  type Fields,
  textValue,
  union,
  unknown,
  unknownValue,
  type Value,
} from "./value.ts"

type Texts = readonly string[]

const noOutput: Texts = [""]

/** Maximum depth of commands that run one another, as `sudo env nice`. */
const maxLayers = 16

export function runSimple(
  evaluator: Evaluator,
  words: readonly Word[],
  redirections: readonly Redirection[],
  state: State,
): Texts {
  const count = words.findIndex((word) => !isAssignment(word))
  const assignments = words.slice(0, count < 0 ? words.length : count)
  const scope = scopeOf(evaluator, state)
  const given = redirected(evaluator, redirections, state)
  if (count < 0) {
    for (const word of assignments) {
      mayAbandon([word], scope, state)
      assign(word, state, scope)
    }
    return noOutput
  }
  mayAbandon(words, scope, state)
  const first = words[count]?.source ?? ""
  if (declarers.has(first)) {
    const before = forked(state)
    const declared = words
      .slice(count + 1)
      .flatMap((word) => expandBraces(word.parts).map((parts) => ({ ...word, parts })))
    assignAll(declared, state, scope, words[count + 1]?.source === "-n")
    if (first === "export" || /^-\w*x/.test(words[count + 1]?.source ?? "")) exportNames(words.slice(count + 1), state)
    if (first === "readonly" || /^-\w*r/.test(words[count + 1]?.source ?? ""))
      for (const { source } of words.slice(count + 1)) state.readonlyNames.add(/^\w*/.exec(source)?.[0] ?? "")
    // It fails outside of a function.
    if (first === "local") merge(state, [before])
    return noOutput
  }
  const choices: Value[] = []
  for (const word of words.slice(count)) {
    if (word.list === undefined) choices.push(fieldsOf(word, scope))
    else if (first === "eval") choices.push(textOfList(word, scope))
    // `alias` and `let` accept arrays too.
    else assign(word, state, scope)
  }
  evaluator.source = words.map(({ source }) => source).join(" ")
  // With too many combinations an ambiguous word may be anything.
  const alternatives = combinations(choices) ?? [
    choices.map((alternatives) => (alternatives.length === 1 ? (alternatives[0] ?? []) : [unknown])),
  ]
  // Only for this command.
  const kept = assignments.map(({ source }) => nameOf(source)).map((name) => [name, state.vars.get(name)] as const)
  const { exported } = state
  for (const word of assignments) assign(word, state, scope)
  exportNames(assignments, state)
  const output = runAlternatives(evaluator, alternatives, given, state)
  recordFiles(evaluator, redirections, output, scope)
  for (const [name, value] of kept) {
    if (value === undefined) state.vars.delete(name)
    else state.vars.set(name, value)
  }
  if (assignments.length > 0) state.exported = exported
  return output
}

/** The names of `NAME` or `NAME=...`; a name that is computed is not known, and so not exported for certain. */
function exportNames(words: readonly Word[], state: State): void {
  const names = words.map(({ source }) => /^\w*/.exec(source)?.[0] ?? "")
  const isRemoved = words.some(({ source }) => source === "-n")
  const kept = [...state.exported].filter((name) => !isRemoved || !names.includes(name))
  state.exported = new Set(isRemoved ? kept : [...kept, ...names])
}

/** If an expansion of these words may fail, the rest of the line may not run: bash goes on with the next line. */
export function mayAbandon(words: readonly Pick<Word, "parts" | "list">[], scope: Scope, state: State): void {
  const all = words.flatMap(({ parts, list = [] }) => [...parts, ...list.flatMap((word) => word.parts)])
  if (mayFail(all, scope)) state.abandoned.push(forked(state))
}

const declarers = new Set(["export", "declare", "typeset", "local", "readonly"])

/** Text written to a file can be run from it, or read. */
function recordFiles(evaluator: Evaluator, redirections: readonly Redirection[], output: Texts, scope: Scope): void {
  for (const { operator, target } of redirections) {
    if (!/^(?:&?>>?|>[|&])$/.test(operator)) continue
    for (const path of unsplitTexts(target.parts, scope)) {
      const name = plainName(path)
      const before = operator.endsWith(">>") ? (evaluator.files.get(name) ?? noOutput) : noOutput
      evaluator.files.set(name, concatenated(before, output))
    }
  }
}

function runAlternatives(
  evaluator: Evaluator,
  alternatives: readonly (readonly Fields[])[],
  stdin: Texts,
  state: State,
): Texts {
  // A failed expansion ends the shell.
  if (alternatives.length === 0) state.exited = true
  const before = state.stdin
  const others = alternatives.slice(1).map(() => forked(state))
  const output = alternatives.map((alternative, index) => {
    const one = others[index - 1] ?? state
    one.stdin = stdin
    return textValue(...runArgv(evaluator, alternative.flat(), one))
  })
  merge(state, others)
  state.stdin = before
  return union(...output).map(([text = ""]) => text)
}

/** `NAME=(...)` as `eval` receives it: text, braces expanded in the whole of it, without quotes, so that an empty element is lost. */
function textOfList({ parts, list = [] }: Word, scope: Scope): Value {
  const plain = (text: string): Part => ({ type: "text", text, quoted: false })
  const elements = list.flatMap((word, index) => [...(index === 0 ? [] : [plain(" ")]), ...word.parts])
  const words = expandBraces([...parts, plain("("), ...elements, plain(")")]).map((one) => unsplitTexts(one, scope))
  const alternatives = combinations(words)
  return alternatives === null ? unknownValue : textValue(...alternatives.map((texts) => boundedField(texts.join(" "))))
}

function nameOf(source: string): string {
  return assignment.exec(source)?.[1] ?? ""
}

/** The readable content; reports files that are written to. */
export function redirected(evaluator: Evaluator, redirections: readonly Redirection[], state: State): Texts {
  const scope = scopeOf(evaluator, state)
  let { stdin } = state
  mayAbandon(
    redirections.map(({ target }) => target),
    scope,
    state,
  )
  for (const { operator, target, body } of redirections) {
    if (body !== null) stdin = unsplitTexts(body, scope)
    else if (operator === "<<<") stdin = unsplitTexts(target.parts, scope)
    else {
      const paths = unsplitTexts(target.parts, scope)
      if (operator === "<") stdin = paths.flatMap((path) => evaluator.files.get(plainName(path)) ?? [unknown])
      else for (const path of paths) evaluator.observer.written(path)
    }
  }
  return stdin
}

export function runArgv(evaluator: Evaluator, argv: Fields, state: State, layer = 0): Texts {
  const [first] = argv
  if (first === undefined) return noOutput
  if (layer > maxLayers) evaluator.commandsLeft = -1
  if (evaluator.commandsLeft-- < 0) return [unknown]
  evaluator.observer.command(argv, state, evaluator.source)
  const bodies = state.functions.get(first)
  if (bodies !== undefined) return callFunctions(evaluator, bodies, argv, state)
  const builtin = Object.hasOwn(builtins, first) ? builtins[first] : undefined
  if (builtin !== undefined) return builtin(argv.slice(1), state, evaluator)
  let output: Texts | null = null
  for (const command of innerCommandsOf(argv, state, evaluator.files)) {
    const inner = command.sameShell === true ? state : programState(state)
    inner.nesting += command.sameShell === true ? 1 : 0
    for (const [name, value] of command.assignments ?? []) {
      inner.vars.set(name, [[value]])
      inner.exported = new Set([...inner.exported, name])
    }
    const { folder } = command
    if (folder !== undefined) inner.cwd = state.cwd.map((cwd) => joinedPath(cwd, folder))
    if (command.args !== undefined) inner.args = [command.args]
    output =
      "script" in command ? runInner(evaluator, command, inner) : runArgv(evaluator, command.argv, inner, layer + 1)
    inner.nesting -= command.sameShell === true ? 1 : 0
  }
  return output ?? outputOf(argv, state, evaluator.files)
}

/** A script of another shell, or a sourced one, which `return` ends. */
function runInner(
  evaluator: Evaluator,
  { script, sameShell }: { readonly script: string; readonly sameShell?: true },
  state: State,
): Texts {
  if (sameShell !== true) return evaluator.script(script, state)
  const { returned } = state
  const ends: State[] = []
  state.returned = ends
  const output = evaluator.script(script, state)
  state.exited = false
  merge(state, ends)
  state.returned = returned
  return output
}

/** A function of this name, or the program. */
function callFunctions(evaluator: Evaluator, bodies: Functions, argv: Fields, state: State): Texts {
  // Infinite recursion does nothing new.
  if (state.depth >= maxDepth) return [unknown]
  const others = bodies.slice(1).map(() => forked(state))
  const output = bodies.map((body, index) => {
    const one = others[index - 1] ?? state
    const { args, functions, returned, loopEnds } = one
    const ends: State[] = []
    if (body === null) one.functions = new Map([...functions].filter(([name]) => name !== argv[0]))
    else one.args = [argv.slice(1)]
    one.depth++
    one.nesting++
    if (body !== null) Object.assign(one, { returned: ends, loopEnds: [] })
    const texts = body === null ? runArgv(evaluator, argv, one) : evaluator.command(body, one)
    one.exited = false
    merge(one, ends)
    Object.assign(one, { args, returned, loopEnds, depth: one.depth - 1, nesting: one.nesting - 1 })
    if (body === null) one.functions = functions
    return textValue(...texts)
  })
  merge(state, others)
  return union(...output).map(([text = ""]) => text)
}

export function scopeOf(evaluator: Evaluator, state: State): Scope {
  return {
    lookup: (name) => lookup(state, name),
    assign: (name, value) => setVariable(state, name, value),
    output: (script) => evaluator.run(script, { ...subshell(state), depth: state.depth }),
    file(script) {
      const name = `/dev/fd/${63 + evaluator.files.size}`
      evaluator.files.set(name, evaluator.run(script, subshell(state)))
      return name
    },
    homeOf: (user) => homeOf(state, user),
  }
}
