import type { Answer } from "../answer.ts"
import type { ArgsOf, SessionCommand } from "../commands.ts"
import type { ControllerState } from "../api.ts"
import type { Answers } from "../data.ts"

/**
 * Runs one command. It calls `answer` exactly once, now or later; the next command is read when it returns. An error before
 * the answer becomes the answer.
 */
export type Handler<C extends SessionCommand> = (
  state: ControllerState,
  args: ArgsOf<C>,
  answer: (answer: Answer<Answers[C]>) => void,
) => Promise<void> | void

export type HandlersOf<C extends SessionCommand> = { readonly [Name in C]: Handler<Name> }
