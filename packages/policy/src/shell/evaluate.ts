import { fieldsOf } from "./expand.ts"
import { type Follower, maxDepth, type Watcher } from "./evaluator.ts"
import { readScript } from "./parse-script.ts"
import { redirected, runSimple, scopeOf } from "./simple-command.ts"
import { forked, lookup, mayHaveFailed, merge, type Start, type State, startState } from "./state.ts"
import type { Command, Script, Word } from "./syntax.ts"
import { either, textValue, together, unknown, type Value } from "./value.ts"

/** Maximum number of evaluated commands per script; real scripts have a hundredth. */
const maxCommands = 5000

/**
 * Evaluates a script symbolically: every command with every possible value of its words, as far as they follow from the script.
 * False if there was too much to evaluate.
 */
export function follow(text: string, start: Start, watcher: Watcher): boolean {
  const at: Follower = {
    watcher,
    left: maxCommands,
    skipped: false,
    files: new Map(),
    traps: [],
    source: "",
    run: (inner, state) => runScript(at, inner, state),
    command: (command, state) => runCommand(at, command, state),
    script: (inner, state) => runText(at, inner, state),
    read: (inner) => readScript(inner, () => void (at.skipped = true)),
  }
  runScript(at, at.read(text), startState(start))
  for (const { script, state } of at.traps) runText(at, script, { ...state, dead: false })
  return at.left >= 0 && !at.skipped
}

type Texts = readonly string[]

const nothing: Texts = [""]

function runText(at: Follower, text: string, state: State): Texts {
  if (state.depth >= maxDepth) {
    at.left = -1
    return [unknown]
  }
  state.depth++
  const printed = runScript(at, at.read(text), state)
  state.depth--
  return printed
}

/** Returns its output. */
function runScript(at: Follower, script: Script, state: State): Texts {
  let printed = nothing
  // Merges the states after success and failure of the chain so far, and skips accordingly.
  let good: State[] = []
  let bad: State[] = []
  let before = forked(state)
  for (const { before: operator, commands, background } of script) {
    const failed = state.missed === null || state.strict ? [] : [{ ...forked(state), cwd: state.missed, missed: null }]
    if (operator === ";") mayHaveFailed(state)
    if (operator === ";") merge(state, [...good, ...bad])
    if (operator === "&&") merge(state, good)
    state.missed = null
    const success = forked(state)
    if (operator === "||") merge(state, [before, ...bad])
    good = operator === "||" ? [...good, success] : []
    bad = operator === "&&" ? [...bad, success, ...failed] : []
    if (state.dead || at.left < 0) continue
    before = forked(state)
    const alone = commands.length === 1 && !background
    printed = together(printed, alone ? runCommand(at, commands[0], state) : runPipeline(at, commands, state))
  }
  merge(state, [...good, ...bad])
  return printed
}

/** Each command in a subshell. */
function runPipeline(at: Follower, commands: readonly Command[], state: State): Texts {
  let { stdin } = state
  for (const command of commands) stdin = runCommand(at, command, { ...forked(state), stdin })
  return stdin
}

function runCommand(at: Follower, command: Command | undefined, state: State): Texts {
  if (command === undefined || at.left-- < 0) return [unknown]
  if (command.type === "function") {
    state.functions.set(command.name, [command.body])
    return nothing
  }
  if (command.type === "simple") return runSimple(at, command.words, command.redirections, state)
  const { stdin } = state
  state.stdin = redirected(at, command.redirections, state)
  const printed = runBlock(at, command, state)
  state.stdin = stdin
  return printed
}

function runBlock(at: Follower, command: Exclude<Command, { type: "simple" | "function" }>, state: State): Texts {
  switch (command.type) {
    case "group":
      return runScript(at, command.body, state)
    case "subshell":
      return runScript(at, command.body, forked(state))
    case "for":
      return runLoop(state, () => {
        const choices = choicesOf(at, command.words, state)
        if (choices.length === 0 && command.name !== "") return nothing
        state.vars.set(command.name, choices)
        return runScript(at, command.body, state)
      })
    case "loop":
      return runLoop(state, () => {
        runScript(at, command.condition, state)
        state.missed = null
        return runScript(at, command.body, state)
      })
    case "branches":
      return runBranches(at, command.branches, state)
  }
}

/** Two rounds: the second may use assignments of the first. */
function runLoop(state: State, round: () => Texts): Texts {
  let printed = nothing
  for (let times = 0; times < 2; times++) {
    const before = forked(state)
    printed = together(printed, round())
    merge(state, [before])
  }
  return printed
}

function runBranches(
  at: Follower,
  branches: readonly { readonly condition: Script; readonly body: Script }[],
  state: State,
): Texts {
  const ends: State[] = []
  const printed: Texts[] = [nothing]
  for (const { condition, body } of branches) {
    runScript(at, condition, state)
    state.missed = null
    const branch = forked(state)
    printed.push(runScript(at, body, branch))
    ends.push(branch)
  }
  merge(state, ends)
  return either(...printed.map((texts) => textValue(...texts))).map(([text = ""]) => text)
}

function choicesOf(at: Follower, words: readonly Word[] | null, state: State): Value {
  const fields =
    words === null ? lookup(state, "@").flat() : words.flatMap((word) => fieldsOf(word, scopeOf(at, state)).flat())
  return textValue(...fields)
}
