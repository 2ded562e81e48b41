import { completionsOf } from "../slash/complete.ts"
import type { Completion, OtherCommand, Person, SlashContext, SlashResult } from "../slash/command.ts"
import { commandsOf } from "../slash/other-commands.ts"
import { runNamed, runTyped } from "../slash/run.ts"
import type { Answer } from "./answer.ts"
import type { ControllerState } from "./api.ts"
import { sessionDialogs } from "./session-dialogs.ts"

// Loaded with the first slash command.

/** Runs a typed line if it is a command. */
export function runTypedIn(state: ControllerState, person: Person, text: string): Promise<SlashResult> {
  return runTyped(contextOf(state, person), text)
}

/** Runs a command by its name; its questions are dialogs of the session. Null: there is no such command. */
export async function runNamedIn(
  state: ControllerState,
  { name, rest, signal }: { readonly name: string; readonly rest: string; readonly signal: AbortSignal },
): Promise<Answer<SlashResult> | null> {
  await state.current.resources.library.scan()
  return runNamed(contextOf(state, sessionDialogs(state, signal)), name, rest)
}

/** The completions of the command `complete`. */
export function completionsIn(state: ControllerState, name: string, typed?: string): Promise<readonly Completion[]> {
  return completionsOf(contextOf(state, sessionDialogs(state, AbortSignal.abort())), name, typed)
}

/** Commands of extensions, templates and skills. */
export async function othersIn({ current }: ControllerState): Promise<readonly OtherCommand[]> {
  await current.resources.library.scan()
  return commandsOf(current).filter((one): one is OtherCommand => one.source !== "builtin")
}

function contextOf(state: ControllerState, person: Person): SlashContext {
  return { t: state.services.t, controller: state, user: person, commands: () => commandsOf(state.current) }
}
