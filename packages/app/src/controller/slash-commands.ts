import { completionsOf } from "../slash/complete.ts"
import type { Completion, OtherCommand, Person, SlashContext, SlashResult } from "../slash/command.ts"
import { commandsOf } from "../slash/other-commands.ts"
import { runNamed, runTyped } from "../slash/run.ts"
import type { Answer } from "./answer.ts"
import type { ControllerState } from "./api.ts"
import { sessionDialogs } from "./session-dialogs.ts"

// Loaded with the first slash command.

/** Runs a typed line if it is a command. */
export async function runTypedIn(state: ControllerState, person: Person, text: string): Promise<SlashResult> {
  return runTyped(await contextOf(state, person), text)
}

/** Runs a command by its name; its questions are dialogs of the session. Null: there is no such command. */
export async function runNamedIn(
  state: ControllerState,
  { name, rest, signal }: { readonly name: string; readonly rest: string; readonly signal: AbortSignal },
): Promise<Answer<SlashResult> | null> {
  await state.current.resources.library.scan()
  return runNamed(await contextOf(state, sessionDialogs(state, signal)), name, rest)
}

/** The completions of the command `complete`. */
export async function completionsIn(
  state: ControllerState,
  name: string,
  typed?: string,
): Promise<readonly Completion[]> {
  return completionsOf(await contextOf(state, sessionDialogs(state, AbortSignal.abort())), name, typed)
}

/** Commands of extensions, templates and skills. */
export async function othersIn({ current }: ControllerState): Promise<readonly OtherCommand[]> {
  await Promise.all([current.resources.library.scan(), current.mcp.load()])
  return commandsOf(current).filter((one): one is OtherCommand => one.source !== "builtin")
}

async function contextOf(state: ControllerState, person: Person): Promise<SlashContext> {
  await state.current.mcp.load()
  return { t: state.services.t, controller: state, user: person, commands: () => commandsOf(state.current) }
}
