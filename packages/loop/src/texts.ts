import { englishOf, noWayAround, phrase, type Phrase, type Text } from "@gong/spec"

/** Texts of the loop, for the model unless noted. Always English; programs distinguish cases by status, never by text. */

/** Exact text of contract section 2. */
export const skippedForUser = "Skipped due to queued user message"

export const toolTimedOut = "Tool execution timed out"

export const notRunStopped = "Not run: the run was stopped before this call began."

export const aborted = phrase`Operation aborted`

export const continueReply =
  "Your reply was cut off by the output limit. Go on exactly where it stopped; do not repeat what you have said."

/** For the user: the continued reply was cut again. */
export const cutOff = phrase`The reply exceeded the model's output limit, even after two continuations.`

export function repeated(times: number, rounds: number): string {
  const what =
    rounds === 1
      ? `The last ${times} rounds were the same call with the same result.`
      : `The last ${times * rounds} rounds were the same ${rounds} calls in turn, with the same results.`
  return `${what} It will not change by repeating. Do something else, or stop and say what is missing.`
}

export function unknownTool(name: string, known: readonly string[]): string {
  return known.length === 0
    ? `There is no tool "${name}": no tools are available in this session. Answer without tools.`
    : `There is no tool "${name}". The tools are: ${known.join(", ")}. Use one of these.`
}

export function badArguments(tool: string, errors: readonly string[]): string {
  const shown = errors.slice(0, 5)
  return `The arguments do not fit ${tool}:\n${shown.map((error) => `- ${error}`).join("\n")}\nNothing was run. Send the call again with arguments that fit.`
}

export function brokenArguments(tool: string, text: string, reason: string): string {
  const at = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length)
  const near = text.slice(Math.max(0, at - 40), at + 40)
  return `The arguments of ${tool} are not valid JSON: ${reason}. Near: ${JSON.stringify(near)}\nNothing was run. Send the call again with valid JSON.`
}

export function deepArguments(tool: string, problem: string): string {
  return `The arguments of ${tool} are ${problem}. Nothing was run. Send the call again with arguments of few levels.`
}

export function refusedBecause(reason: Text): Phrase {
  // The text of a hook may lack a final period.
  const sentence = /[.!?。！？]$/.test(englishOf(reason)) ? reason : phrase`${reason}.`
  return phrase`Refused: ${sentence} Nothing was run.`
}

export function refusedByUser(title: string, message: string | undefined): Phrase {
  const suffix = message ? ` The user said: ${message}` : ""
  return phrase`Refused: the user said no to "${title}". ${noWayAround + suffix}`
}

export function refusedByTime(title: string): Phrase {
  return phrase`Refused: "${title}" needs permission, and the question was not answered in time. ${noWayAround}`
}

export function refusedByLevel(title: string): Phrase {
  return phrase`Refused: "${title}" is not allowed at the permission level that the user has just set. ${noWayAround}`
}

/** For the user. */
export function endedByHook(reason: Text): Phrase {
  return phrase`A hook ended the run: ${reason}`
}

/** For the user. */
export const emptyReply = phrase`the model sent an empty reply`

/** For the user. */
export const reasoningOnly = phrase`the model reasoned but gave no answer`

/** For the user. */
export const uncounted = phrase`a request reported no usage; the cost limit does not include it`

/** For the user. */
export const unknownCost = phrase`The cost limit cannot be enforced: the last reply reported no usage.`

export const watchable = phrase`Use --max-turns or --max-time.`

export function turnsLeft(left: number): string {
  const turns = left === 1 ? "This is the last turn" : `${left} turns are left`
  return `${turns} before the limit of this run. ${finish}`
}

export function limitNearlyReached(limit: "cost" | "tokens" | "time", percent: number): string {
  return `${percent} % of what this run may use is used (${limit}). ${finish}`
}

const finish = "Finish now: put things in order and say what is done and what is not."
