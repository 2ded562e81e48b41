import { completionsOf } from "../slash/complete.ts"
import type { Completion, OtherCommand, Person, SlashContext, SlashEnd } from "../slash/command.ts"
import { listOf } from "../slash/others.ts"
import { runNamed, runTyped } from "../slash/run.ts"
import type { Answer } from "./answer.ts"
import type { ControllerState } from "./api.ts"
import { dialogPerson } from "./dialog-person.ts"

// The slash commands of a controller, with all that they load: a session that uses none of them does not load this file.

/** Runs what a person typed, if it is a command. */
export function runTypedIn(state: ControllerState, person: Person, text: string): Promise<SlashEnd> {
  return runTyped(contextOf(state, person), text)
}

/** Runs a command by its name; its questions are dialogs of the session. Null where nothing has this name. */
export async function runNamedIn(
  state: ControllerState,
  { name, rest, signal }: { readonly name: string; readonly rest: string; readonly signal: AbortSignal },
): Promise<Answer<SlashEnd> | null> {
  await state.current.resources.library.scan()
  return runNamed(contextOf(state, dialogPerson(state, signal)), name, rest)
}

/** As the command `complete`. */
export function completionsIn(state: ControllerState, name: string, typed?: string): Promise<readonly Completion[]> {
  return completionsOf(contextOf(state, dialogPerson(state, AbortSignal.abort())), name, typed)
}

/** What a prompt can begin with that is not Gong's own. */
export async function othersIn({ current }: ControllerState): Promise<readonly OtherCommand[]> {
  await current.resources.library.scan()
  return listOf(current).filter((one): one is OtherCommand => one.source !== "builtin")
}

function contextOf(state: ControllerState, person: Person): SlashContext {
  return { t: state.services.t, controller: state, person, commands: () => listOf(state.current) }
}
