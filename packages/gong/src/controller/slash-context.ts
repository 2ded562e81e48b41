import type { Person, SlashContext, SlashEnd } from "../slash/command.ts"
import { listOf } from "../slash/others.ts"
import { runTyped } from "../slash/run.ts"
import type { ControllerState } from "./api.ts"

/** What slash commands of this controller see. */
export function slashContext(state: ControllerState, person: Person): SlashContext {
  return { t: state.services.t, controller: state, person, commands: () => listOf(state.current) }
}

/** Runs what a person typed, if it is a command. */
export function typedIn(state: ControllerState, person: Person, text: string): Promise<SlashEnd> {
  return runTyped(slashContext(state, person), text)
}
