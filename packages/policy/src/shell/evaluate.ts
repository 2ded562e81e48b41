import { fieldsOf } from "./expand.ts"
import { type Evaluator, maxDepth, type EvaluationObserver } from "./evaluator.ts"
import { parseScript } from "./parse-script.ts"
import { mayAbandon, redirected, runSimple, scopeOf } from "./simple-command.ts"
import {
  forked,
  lookup,
  mayHaveFailed,
  merge,
  setVariable,
  type Start,
  type State,
  startState,
  subshell,
} from "./state.ts"
import type { Command, Script, Word } from "./syntax.ts"
import { bounded, union, textValue, concatenated, unknown, type Value } from "./value.ts"

/** Maximum number of evaluated commands per script; real scripts have a hundredth. */
const maxCommands = 5000

/**
 * Evaluates a script symbolically: every command with every possible value of its words, as far as they follow from the script.
 * False if there was too much to evaluate.
 */
export function evaluateScript(text: string, start: Start, observer: EvaluationObserver): boolean {
  const evaluator: Evaluator = {
    observer,
    commandsLeft: maxCommands,
    isIncomplete: false,
    files: new Map(),
    traps: [],
    source: "",
    run: (inner, state) => runScript(evaluator, inner, state),
    command: (command, state) => runCommand(evaluator, command, state),
    script: (inner, state) => runText(evaluator, inner, state),
    parse: (inner) => parseScript(inner, () => void (evaluator.isIncomplete = true)),
  }
  runScript(evaluator, evaluator.parse(text), startState(start))
  for (const { script, state } of evaluator.traps) runText(evaluator, script, { ...state, exited: false })
  return evaluator.commandsLeft >= 0 && !evaluator.isIncomplete
}

type Texts = readonly string[]

const noOutput: Texts = [""]

function runText(evaluator: Evaluator, text: string, state: State): Texts {
  if (state.depth >= maxDepth) {
    evaluator.commandsLeft = -1
    return [unknown]
  }
  state.depth++
  const output = runScript(evaluator, evaluator.parse(text), state)
  state.depth--
  return output
}

/** Returns its output. */
function runScript(evaluator: Evaluator, script: Script, state: State): Texts {
  let output = noOutput
  // Merges the states after success and failure of the chain so far, and skips accordingly.
  let good: State[] = []
  let bad: State[] = []
  let before = forked(state)
  /** What it has printed if a `cd` before `&&` fails. */
  const outputOnFailure: Texts[] = []
  for (const { before: operator, startsLine, commands, background } of script) {
    const failed =
      state.cwdOnFailure === null ? [] : [{ ...forked(state), cwd: state.cwdOnFailure, cwdOnFailure: null }]
    if (operator !== "&&") output = eitherOf(output, ...outputOnFailure.splice(0))
    // With `set -e` the assignment that reads this output ends the shell.
    else if (failed.length > 0 && !state.errexit) outputOnFailure.push(output)
    if (operator === ";") mayHaveFailed(state)
    if (operator === ";") merge(state, [...good, ...bad])
    if (operator === ";" && startsLine && state.nesting === 0) merge(state, state.abandoned.splice(0))
    if (operator === "&&") merge(state, good)
    state.cwdOnFailure = null
    const success = forked(state)
    if (operator === "||") merge(state, [before, ...bad])
    good = operator === "||" ? [...good, success] : []
    bad = operator === "&&" ? [...bad, success, ...failed] : []
    if (state.exited || evaluator.commandsLeft < 0) continue
    before = forked(state)
    const alone = commands.length === 1 && !background
    output = concatenated(
      output,
      alone ? runCommand(evaluator, commands[0], state) : runPipeline(evaluator, commands, state),
    )
  }
  merge(state, [...good, ...bad])
  return eitherOf(output, ...outputOnFailure)
}

/** What one or the other has printed. */
function eitherOf(...outputs: readonly Texts[]): Texts {
  return union(...outputs.map((texts) => textValue(...texts))).map(([text = ""]) => text)
}

/** Each command in a subshell. */
function runPipeline(evaluator: Evaluator, commands: readonly Command[], state: State): Texts {
  let { stdin } = state
  for (const command of commands) stdin = runCommand(evaluator, command, { ...subshell(state), stdin })
  return stdin
}

function runCommand(evaluator: Evaluator, command: Command | undefined, state: State): Texts {
  if (command === undefined || evaluator.commandsLeft-- < 0) return [unknown]
  if (command.type === "function") {
    state.functions.set(command.name, [command.body])
    return noOutput
  }
  if (command.type === "simple") return runSimple(evaluator, command.words, command.redirections, state)
  const { stdin } = state
  state.stdin = redirected(evaluator, command.redirections, state)
  state.nesting++
  const output = runBlock(evaluator, command, state)
  state.nesting--
  state.stdin = stdin
  return output
}

function runBlock(
  evaluator: Evaluator,
  command: Exclude<Command, { type: "simple" | "function" }>,
  state: State,
): Texts {
  switch (command.type) {
    case "group":
      return runScript(evaluator, command.body, state)
    case "subshell":
      return runScript(evaluator, command.body, subshell(state))
    case "for":
      return runLoop(state, () => {
        const choices = choicesOf(evaluator, command.words, state)
        if (choices.length === 0 && command.name !== "") return noOutput
        setVariable(state, command.name, choices)
        return runScript(evaluator, command.body, state)
      })
    case "loop":
      return runLoop(state, () => {
        runScript(evaluator, command.condition, state)
        state.cwdOnFailure = null
        return runScript(evaluator, command.body, state)
      })
    case "branches":
      return runBranches(evaluator, command.branches, state)
  }
}

/** Two rounds: the second may use assignments of the first. */
function runLoop(state: State, round: () => Texts): Texts {
  let output = noOutput
  for (let times = 0; times < 2; times++) {
    const before = forked(state)
    const ends: State[] = []
    state.loopEnds = [...before.loopEnds, ends]
    output = concatenated(output, round())
    merge(state, [before, ...ends])
    state.loopEnds = before.loopEnds
  }
  return output
}

function runBranches(
  evaluator: Evaluator,
  branches: readonly { readonly condition: Script; readonly body: Script }[],
  state: State,
): Texts {
  const ends: State[] = []
  const output: Texts[] = [noOutput]
  for (const { condition, body } of branches) {
    runScript(evaluator, condition, state)
    state.cwdOnFailure = null
    const branch = forked(state)
    output.push(runScript(evaluator, body, branch))
    ends.push(branch)
  }
  merge(state, ends)
  return eitherOf(...output)
}

function choicesOf(evaluator: Evaluator, words: readonly Word[] | null, state: State): Value {
  if (words !== null) mayAbandon(words, scopeOf(evaluator, state), state)
  const fields =
    words === null
      ? lookup(state, "@").flat()
      : words.flatMap((word) => fieldsOf(word, scopeOf(evaluator, state)).flat())
  return bounded(fields.map((field) => [field]))
}
